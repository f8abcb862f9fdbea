#include "host/sessions/session.hpp"

#include <utility>

namespace gantry::host {

std::optional<int> Session::log_level() const {
  const int level = log_level_;
  return level < 0 ? std::nullopt : std::optional(level);
}

bool Session::track(std::string key, Cancel cancel) {
  {
    std::lock_guard lock(mutex_);
    if (!ended_) return running_.emplace(std::move(key), std::move(cancel)).second;
  }
  cancel(Stop::session_ended);
  return false;
}

void Session::forget(std::string_view key) {
  std::lock_guard lock(mutex_);
  if (const auto found = running_.find(key); found != running_.end()) running_.erase(found);
}

bool Session::is_running(std::string_view key) const {
  std::lock_guard lock(mutex_);
  return running_.find(key) != running_.end();
}

std::size_t Session::running() const {
  std::lock_guard lock(mutex_);
  return running_.size();
}

bool Session::cancel(std::string_view key) {
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

void Session::end() {
  decltype(running_) stopped;
  decltype(on_end_) told;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    stopped.swap(running_);
    told.swap(on_end_);
  }
  for (auto& [key, cancel] : stopped) cancel(Stop::session_ended);
  client_requests_.end();
  for (const auto& ended : told) ended();
  streams_.end();
}

void Session::on_end(std::function<void()> ended) {
  {
    std::lock_guard lock(mutex_);
    if (!ended_) return on_end_.push_back(std::move(ended));
  }
  ended();
}

}  // namespace gantry::host
