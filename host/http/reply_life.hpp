// host/http/reply_life.hpp (private): the state of one reply, and the callbacks for when its client
// leaves or its answer is late. Any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "host/http/mailbox.hpp"

namespace gantry::host::http {

class ReplyLife {
 public:
  enum class State { pending, streaming, complete, gone };

  explicit ReplyLife(std::shared_ptr<Mailbox> mailbox) : mailbox_(std::move(mailbox)) {}

  bool is(State state) const { return state_.load() == state; }
  bool is_open() const { return is(State::pending) || is(State::streaming); }
  // True for the one caller that changes the state. Once it is complete no callback follows.
  bool claim(State from, State to) { return state_.compare_exchange_strong(from, to); }
  void forget_callbacks();

  // As in Exchange.
  void on_disconnect(std::function<void()> gone);
  void when_late(std::function<void()> late);

  // Called on the I/O thread when the client has disconnected, or when the answer has been pending
  // for Limits::patience.
  void client_gone();
  void late();

 private:
  const std::shared_ptr<Mailbox> mailbox_;
  std::atomic<State> state_{State::pending};
  std::mutex mutex_;  // of the members below
  std::function<void()> gone_, late_;
};

}  // namespace gantry::host::http
