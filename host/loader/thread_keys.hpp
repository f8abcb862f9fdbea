// host/loader/thread_keys.hpp: the thread-specific keys (pthread_key_create, tss_create) that
// plugins make and leave behind. A process has PTHREAD_KEYS_MAX of them, 1,024 with glibc, and a
// key keeps the address of its destructor, which is called when a thread ends: once the code there
// is gone, that is a crash. Rust's standard library leaves one behind each time it is loaded.
//
// The program interposes these functions: its definitions come before libc's in the linker's order,
// and record the caller.
//
// Any thread.
#pragma once

#include <pthread.h>

#include <filesystem>
#include <vector>

namespace gantry::host {

// The keys that code of this loaded library made and has not deleted.
std::vector<pthread_key_t> thread_keys_of(const std::filesystem::path& library);

// Their values are forgotten, no destructor is called. Only for keys of a library that is gone.
void delete_thread_keys(const std::vector<pthread_key_t>& keys);

// True if a library that is loaded now can make that many. Otherwise it may fail as it likes:
// Rust's standard library ends the process.
bool thread_keys_are_left(int wanted);

}  // namespace gantry::host
