#include "host/plugin/holders.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace gantry::host {

// Shared with the pointers, since the generation may be gone while the last one is being dropped.
struct Holders::State {
  void drop() {
    std::function<void()> tell;
    {
      std::lock_guard lock(mutex);
      if (--pointers > 0) return;
      tell = none;
      gone.notify_all();
    }
    if (tell) tell();
  }

  std::mutex mutex;
  std::condition_variable gone;
  int pointers = 0;
  std::function<void()> none;
};

Holders::Holders() : state_(std::make_shared<State>()) {}

InstancePtr Holders::share(Instance& instance) {
  if (InstancePtr there = shared_.lock()) return there;
  {
    std::lock_guard lock(state_->mutex);
    ++state_->pointers;
  }
  InstancePtr made(&instance, [state = state_](Instance*) { state->drop(); });
  shared_ = made;
  return made;
}

void Holders::on_none(std::function<void()> none) {
  std::lock_guard lock(state_->mutex);
  state_->none = std::move(none);
}

bool Holders::any() const {
  std::lock_guard lock(state_->mutex);
  return state_->pointers > 0;
}

bool Holders::wait_for_none(std::chrono::steady_clock::time_point deadline) const {
  std::unique_lock lock(state_->mutex);
  return state_->gone.wait_until(lock, deadline, [this] { return state_->pointers == 0; });
}

}  // namespace gantry::host
