#include "host/loader/control_requests.hpp"

#include <cstddef>
#include <utility>

namespace gantry::host {

void ControlRequests::attach(ControlThread* thread) {
  std::lock_guard lock(mutex_);
  thread_ = thread;
}

void ControlRequests::ask(ControlRequest request) {
  std::lock_guard lock(mutex_);
  if (!thread_ || std::exchange(queued_[static_cast<std::size_t>(request)], true)) return;
  thread_->post([self = shared_from_this(), request] { self->handle(request); });
}

// A request that comes while this one is handled is queued again.
void ControlRequests::handle(ControlRequest request) {
  {
    std::lock_guard lock(mutex_);
    queued_[static_cast<std::size_t>(request)] = false;
  }
  handler_(request);
}

}  // namespace gantry::host
