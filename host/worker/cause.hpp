// host/worker/cause.hpp: how a process ended, as words for people.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gantry::host {

inline constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

struct End {
  int wait_status = 0;           // as wait4() gives it
  std::uint64_t peak_bytes = 0;  // of memory that was really there
  std::uint64_t memory_limit = 0;
  std::string_view last_line;  // it printed as an error
};

// Goes on after "its worker process": "called exit(3)". Memory is named where it can be known.
std::string cause_of(const End& end);

// "signal 11 (SIGSEGV)".
std::string signal_words(int signal);

}  // namespace gantry::host
