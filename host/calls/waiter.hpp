// host/calls/waiter.hpp (private): lets a thread block inside a call until an event or its
// cancellation.
#pragma once

#include "host/calls/engine.hpp"

namespace gantry::host {

// What one blocked thread waits on; outlives the wait when the provider ends later.
struct Engine::Waiter {
  std::mutex mutex;
  std::condition_variable cv;
  bool over = false;       // the thing waited for has come
  bool abandoned = false;  // the waiting thread has given up
  gantry_status status = GANTRY_OK;

  void signal() {
    std::lock_guard lock(mutex);
    over = true;
    cv.notify_all();
  }
};

}  // namespace gantry::host
