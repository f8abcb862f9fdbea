#include "host/loader/thread_keys.hpp"

#include <dlfcn.h>
#include <link.h>
#include <threads.h>

#include <climits>

// libc's own, under the name that nothing here takes over.
extern "C" int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*));

namespace {

// Where the code is that made each key, null for none. Sanitizers make keys before anything of the
// program has run, themselves included: hence plain memory, and functions that they leave alone.
void* makers[PTHREAD_KEYS_MAX];

#define GANTRY_UNSEEN \
  __attribute__((visibility("default"), no_sanitize("address", "thread", "undefined")))

__attribute__((no_sanitize("address", "thread", "undefined"))) int make(pthread_key_t* key,
                                                                        void (*destructor)(void*),
                                                                        void* maker) {
  const int code = __pthread_key_create(key, destructor);
  if (code == 0 && *key < PTHREAD_KEYS_MAX)
    __atomic_store_n(&makers[*key], maker, __ATOMIC_RELEASE);
  return code;
}

}  // namespace

extern "C" {

GANTRY_UNSEEN int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  return make(key, destructor, __builtin_return_address(0));
}

GANTRY_UNSEEN int tss_create(tss_t* key, tss_dtor_t destructor) {
  return make(key, destructor, __builtin_return_address(0)) == 0 ? thrd_success : thrd_error;
}

GANTRY_UNSEEN int pthread_key_delete(pthread_key_t key) noexcept {
  // First: as soon as the key is deleted another caller may get the same one.
  if (key < PTHREAD_KEYS_MAX) __atomic_store_n(&makers[key], nullptr, __ATOMIC_RELEASE);
  static const auto libc =
      reinterpret_cast<int (*)(pthread_key_t)>(::dlsym(RTLD_NEXT, "pthread_key_delete"));
  return libc(key);
}

GANTRY_UNSEEN void tss_delete(tss_t key) { pthread_key_delete(key); }
}

namespace gantry::host {

std::vector<pthread_key_t> thread_keys_of(const std::filesystem::path& library) {
  std::vector<pthread_key_t> keys;
  for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; ++key) {
    void* const maker = __atomic_load_n(&makers[key], __ATOMIC_ACQUIRE);
    // dladdr() would also look for the symbol: tens of microseconds.
    dl_find_object found{};
    if (!maker || ::_dl_find_object(maker, &found) != 0) continue;
    if (library == found.dlfo_link_map->l_name) keys.push_back(key);
  }
  return keys;
}

void delete_thread_keys(const std::vector<pthread_key_t>& keys) {
  for (const pthread_key_t key : keys) ::pthread_key_delete(key);
}

bool thread_keys_are_left(int wanted) {
  std::vector<pthread_key_t> keys;
  pthread_key_t key = 0;
  while (static_cast<int>(keys.size()) < wanted && ::pthread_key_create(&key, nullptr) == 0) {
    keys.push_back(key);
  }
  delete_thread_keys(keys);
  return static_cast<int>(keys.size()) == wanted;
}

}  // namespace gantry::host
