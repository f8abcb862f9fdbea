#include "host/rpc/listen/outbox.hpp"

#include <utility>

namespace gantry::host::rpc {
namespace {

// Bytes that may be on their way to a client; above it, messages are queued here.
constexpr std::size_t kMuch = 64 << 10;

}  // namespace

void Outbox::hold(std::string first) { first_ = std::move(first); }

void Outbox::open() {
  if (!stopped_) sink_->notify(std::move(first_));
  std::unique_lock lock(mutex_);
  sending_ = false;
  pump(lock);
}

void Outbox::refuse(Answer answer) {
  std::unique_lock lock(mutex_);
  last_ = std::move(answer);
  ended_ = true;
  pending_.clear();
  sending_ = false;
  pump(lock);
}

bool Outbox::put(std::string_view key, std::string message) {
  std::unique_lock lock(mutex_);
  if (ended_ || stopped_) return true;
  if (may_pass()) {
    sending_ = true;
    notify(lock, std::move(message));
    sending_ = false;
    pump(lock);
    return true;
  }
  const bool room = pending_.put(key, std::move(message));
  if (!room) {
    pending_.clear();
    ended_ = true;
  }
  pump(lock);
  return room;
}

void Outbox::end() {
  std::unique_lock lock(mutex_);
  ended_ = true;
  pump(lock);
}

void Outbox::stop() {
  std::unique_lock lock(mutex_);
  stopped_ = true;
  pump(lock);
}

// True if a new message may be sent now: no message is queued before it, and the client reads.
bool Outbox::may_pass() const {
  return !sending_ && !waiting_ && sink_ && pending_.empty() && sink_->backlog() <= kMuch;
}

void Outbox::notify(std::unique_lock<std::mutex>& lock, std::string message) {
  lock.unlock();
  sink_->notify(std::move(message));
  lock.lock();
}

// Called with the lock, which it releases while it calls the sink.
void Outbox::pump(std::unique_lock<std::mutex>& lock) {
  if (sending_ || !sink_) return;
  sending_ = true;
  while (!is_over() && !pending_.empty() && (ended_ || !waiting_)) {
    if (!ended_ && sink_->backlog() > kMuch) {
      wait_until_drained(lock);
      continue;
    }
    notify(lock, pending_.take());
  }
  if (is_over()) return give_answer(lock);
  sending_ = false;
}

void Outbox::give_answer(std::unique_lock<std::mutex>& lock) {
  const auto sink = std::exchange(sink_, nullptr);
  Answer answer = std::move(last_);
  lock.unlock();
  sink->answer(std::move(answer));
}

void Outbox::wait_until_drained(std::unique_lock<std::mutex>& lock) {
  waiting_ = true;
  lock.unlock();
  sink_->when_drained([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->drained();
  });
  lock.lock();
}

void Outbox::drained() {
  std::unique_lock lock(mutex_);
  waiting_ = false;
  pump(lock);
}

}  // namespace gantry::host::rpc
