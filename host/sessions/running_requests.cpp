#include "host/sessions/running_requests.hpp"

#include <utility>

namespace gantry::host {

bool RunningRequests::track(std::string key, Cancel cancel) {
  {
    std::lock_guard lock(mutex_);
    if (!ended_) return running_.emplace(std::move(key), std::move(cancel)).second;
  }
  cancel(Stop::session_ended);
  return false;
}

void RunningRequests::forget(std::string_view key) {
  std::lock_guard lock(mutex_);
  if (const auto found = running_.find(key); found != running_.end()) running_.erase(found);
}

bool RunningRequests::contains(std::string_view key) const {
  std::lock_guard lock(mutex_);
  return running_.find(key) != running_.end();
}

std::size_t RunningRequests::size() const {
  std::lock_guard lock(mutex_);
  return running_.size();
}

bool RunningRequests::cancel(std::string_view key) {
  Cancel cancel;
  {
    std::lock_guard lock(mutex_);
    const auto found = running_.find(key);
    if (found == running_.end()) return false;
    cancel = found->second;
  }
  // Outside the lock, because the answer of a cancelled request calls forget().
  cancel(Stop::cancelled);
  return true;
}

void RunningRequests::end() {
  decltype(running_) stopped;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    stopped.swap(running_);
  }
  for (auto& [key, cancel] : stopped) cancel(Stop::session_ended);
}

}  // namespace gantry::host
