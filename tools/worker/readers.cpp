#include "readers.hpp"

#include <pthread.h>

#include <system_error>
#include <thread>

namespace gantry::worker {

void Readers::start() {
  ++waiting_;
  std::thread([this] { serve(); }).detach();
}

void Readers::serve() {
  ::pthread_setname_np(::pthread_self(), "gantry-reader");
  for (;;) {
    const Work work = next_work();
    work();
    ++waiting_;
  }
}

Work Readers::next_work() {
  const std::lock_guard reading(reading_);
  --waiting_;
  for (;;) {
    Work work = work_of_(link_.read());
    if (!work) continue;
    if (waiting_ > 0 || add_reader()) return work;
    main_.give(std::move(work));  // slower, but reading continues
  }
}

// False: the process may not start another thread.
bool Readers::add_reader() {
  try {
    start();
  } catch (const std::system_error&) {
    --waiting_;
    return false;
  }
  return true;
}

}  // namespace gantry::worker
