// host/rpc/tracker.hpp: one running request in its session's book, from start to answer.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "host/sessions/session.hpp"

namespace gantry::host::rpc {

// started() and answered() may come in any order and from any thread, each once. Must be owned by
// a shared_ptr's object that outlives both.
class Tracker {
 public:
  // `session` may be null: then there is no book.
  Tracker(std::shared_ptr<Session> session, std::string key)
      : session_(std::move(session)), key_(std::move(key)) {}

  void started(Session::Cancel cancel) {
    if (!session_) return;
    session_->track(key_, std::move(cancel));
    if (answered_) session_->forget(key_);
  }

  void answered() {
    answered_ = true;
    if (session_) session_->forget(key_);
  }

 private:
  const std::shared_ptr<Session> session_;
  const std::string key_;
  std::atomic<bool> answered_{false};
};

}  // namespace gantry::host::rpc
