#include "host/sessions/client_requests.hpp"

#include <utility>

namespace gantry::host {

std::string ClientRequests::begin(Answered answered) {
  std::string id;
  {
    std::lock_guard lock(mutex_);
    id = "gantry-" + std::to_string(next_++);
    if (!ended_) {
      waiting_.emplace(id, std::move(answered));
      return id;
    }
  }
  answered({});
  return id;
}

bool ClientRequests::answer(std::string_view id, ClientAnswer with) {
  Answered answered;
  {
    std::lock_guard lock(mutex_);
    const auto found = waiting_.find(id);
    if (found == waiting_.end()) return false;
    answered = std::move(found->second);
    waiting_.erase(found);
  }
  answered(std::move(with));
  return true;
}

void ClientRequests::forget(std::string_view id) {
  Answered dropped;  // freed without the lock
  std::lock_guard lock(mutex_);
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return;
  dropped = std::move(found->second);
  waiting_.erase(found);
}

void ClientRequests::end() {
  decltype(waiting_) all;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    all.swap(waiting_);
  }
  for (auto& [id, answered] : all) answered({});
}

std::size_t ClientRequests::waiting() const {
  std::lock_guard lock(mutex_);
  return waiting_.size();
}

}  // namespace gantry::host
