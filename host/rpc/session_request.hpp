// host/rpc/session_request.hpp: registers one running request in its session, from start to answer,
// so that the client and the end of the session can cancel it.
//
// The transports' sinks own one. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "host/sessions/session.hpp"

namespace gantry::host::rpc {

// started() and answered() are called once each, in any order, from any thread. The owner is held
// by a shared_ptr that outlives both calls.
class SessionRequest {
 public:
  // `key`: the request's id in the form of Message::id_key(). `session` may be null; then nothing
  // is registered.
  SessionRequest(std::shared_ptr<Session> session, std::string key)
      : session_(std::move(session)), key_(std::move(key)) {}

  // Registers `cancel`, which may be called until answered().
  void started(RunningRequests::Cancel cancel) {
    if (!session_) return;
    session_->running().track(key_, std::move(cancel));
    if (answered_) session_->running().forget(key_);
  }

  // Removes the registration.
  void answered() {
    answered_ = true;
    if (session_) session_->running().forget(key_);
  }

 private:
  const std::shared_ptr<Session> session_;
  const std::string key_;
  std::atomic<bool> answered_{false};
};

}  // namespace gantry::host::rpc
