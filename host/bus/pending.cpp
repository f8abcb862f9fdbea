#include "host/bus/pending.hpp"

#include <utility>

namespace gantry::host {

bool Pending::put(std::string_view key, std::string message) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    found->second->message = std::move(message);
    return true;
  }
  if (waiting_.size() >= most_) return false;
  waiting_.push_back({std::string(key), std::move(message)});
  by_key_.emplace(waiting_.back().key, std::prev(waiting_.end()));
  return true;
}

std::string Pending::take() {
  std::string message = std::move(waiting_.front().message);
  by_key_.erase(waiting_.front().key);
  waiting_.pop_front();
  return message;
}

void Pending::clear() {
  by_key_.clear();
  waiting_.clear();
}

}  // namespace gantry::host
