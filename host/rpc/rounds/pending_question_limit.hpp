// host/rpc/rounds/pending_question_limit.hpp: bounds the requests that wait for a legacy client's
// answers, in all and per session.
//
// A waiting request holds no thread and no place among the running calls, so it needs a bound of
// its own. Any thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace gantry::host::rpc {

class PendingQuestionLimit : public std::enable_shared_from_this<PendingQuestionLimit> {
 public:
  // The most requests that wait at once. Make it with std::make_shared: places keep it alive.
  PendingQuestionLimit(std::size_t all, std::size_t per_session)
      : all_(all), per_session_(per_session) {}

  // Takes one place, which the last copy of the pointer releases; null: no place is free. `session`
  // is only compared.
  std::shared_ptr<void> enter(const void* session) {
    std::lock_guard lock(mutex_);
    if (count_ >= all_) return nullptr;
    std::size_t& here = by_session_[session];
    if (here >= per_session_) return nullptr;
    ++here;
    ++count_;
    return {this, [self = shared_from_this(), session](void*) { self->leave(session); }};
  }
  // Places taken now.
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  void leave(const void* session) {
    std::lock_guard lock(mutex_);
    --count_;
    const auto here = by_session_.find(session);
    if (--here->second == 0) by_session_.erase(here);
  }

  const std::size_t all_, per_session_;
  mutable std::mutex mutex_;
  std::size_t count_ = 0;
  std::map<const void*, std::size_t> by_session_;
};

}  // namespace gantry::host::rpc
