#include "host/auth/jwt/parked_requests.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gantry::host::jwt {

bool ParkedRequests::add(const std::string& location, std::function<void()> ready) {
  const std::lock_guard lock(mutex_);
  if (closed_ || parked_.size() >= kMost) return false;
  parked_.push_back({location, std::move(ready)});
  return true;
}

void ParkedRequests::resume(std::string_view location) {
  std::vector<Parked> now;
  {
    const std::lock_guard lock(mutex_);
    const auto others =
        std::stable_partition(parked_.begin(), parked_.end(),
                              [&](const Parked& one) { return one.location != location; });
    now.assign(std::make_move_iterator(others), std::make_move_iterator(parked_.end()));
    parked_.erase(others, parked_.end());
    running_ = !now.empty();
  }
  if (now.empty()) return;
  for (Parked& one : now) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) break;
    }
    std::exchange(one.ready, nullptr)();
  }
  now.clear();
  const std::lock_guard lock(mutex_);
  running_ = false;
  idle_.notify_all();
}

void ParkedRequests::close() {
  std::vector<Parked> dropped;
  std::unique_lock lock(mutex_);
  closed_ = true;
  dropped.swap(parked_);
  idle_.wait(lock, [this] { return !running_; });
}

}  // namespace gantry::host::jwt
