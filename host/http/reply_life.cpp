#include "host/http/reply_life.hpp"

#include <utility>

namespace gantry::host::http {

// A callback may hold the exchange itself, so it must go when the exchange is finished.
void ReplyLife::forget_callbacks() {
  std::function<void()> gone, late;  // destroyed after the lock is released
  std::lock_guard lock(mutex_);
  gone.swap(gone_);
  late.swap(late_);
}

void ReplyLife::on_disconnect(std::function<void()> gone) {
  std::lock_guard lock(mutex_);
  gone_ = std::move(gone);
  if (!is(State::gone)) return;
  // The client went first: still called on the I/O thread, never inside this function.
  mailbox_->post([call = std::exchange(gone_, nullptr)](Loop&) { call(); });
}

void ReplyLife::when_late(std::function<void()> late) {
  std::lock_guard lock(mutex_);
  if (is(State::pending)) late_ = std::move(late);
}

void ReplyLife::late() {
  std::function<void()> call;
  {
    std::lock_guard lock(mutex_);
    call = std::exchange(late_, nullptr);
  }
  if (call && is(State::pending)) call();
}

void ReplyLife::client_gone() {
  if (!claim(State::pending, State::gone) && !claim(State::streaming, State::gone)) return;
  std::function<void()> call;
  {
    std::lock_guard lock(mutex_);
    call = std::exchange(gone_, nullptr);
  }
  forget_callbacks();
  if (call) call();
}

}  // namespace gantry::host::http
