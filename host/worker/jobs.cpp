#include "host/worker/jobs.hpp"

#include <memory>
#include <utility>

namespace gantry::host::worker {

void Jobs::post(const gantry_call* call, std::function<void()> work) {
  begin();
  const auto job = [this, shared = std::make_shared<std::function<void()>>(std::move(work))] {
    std::exchange(*shared, nullptr)();
    end();
  };
  if (!services_.post(call, job)) job();
}

void Jobs::begin() {
  std::lock_guard lock(mutex_);
  ++count_;
}

void Jobs::end() {
  std::lock_guard lock(mutex_);
  if (--count_ == 0) none_.notify_all();
}

void Jobs::wait() {
  std::unique_lock lock(mutex_);
  none_.wait(lock, [this] { return count_ == 0; });
}

}  // namespace gantry::host::worker
