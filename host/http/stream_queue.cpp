#include "host/http/stream_queue.hpp"

#include <utility>

namespace gantry::host::http {
namespace {

// The cost of an event besides its bytes, so that the bound also holds for very small ones.
constexpr std::size_t kEventCost = sizeof(Bytes);

}  // namespace

void StreamQueue::open(std::optional<std::uint64_t> length) {
  std::lock_guard lock(mutex_);
  open_ = true;
  missing_ = length;
}

StreamQueue::Added StreamQueue::add(Bytes events) {
  std::lock_guard lock(mutex_);
  const std::size_t size = events.view().size(), cost = size + kEventCost;
  if (missing_ && size > *missing_) return Added::refused;
  if (posted_ + cost + backlog_.load() > limit_) return Added::refused;
  posted_ += cost;
  if (missing_) *missing_ -= size;
  pending_.push_back(std::move(events));
  return pending_.size() == 1 ? Added::first : Added::more;
}

bool StreamQueue::end() {
  std::function<void()> drained;  // destroyed after the lock is released: it may hold the exchange
  std::lock_guard lock(mutex_);
  drained.swap(drained_);
  open_ = false;
  return missing_.value_or(0) == 0;
}

void StreamQueue::when_drained(std::function<void()> drained) {
  std::function<void()> replaced;
  std::lock_guard lock(mutex_);
  replaced = std::exchange(drained_, nullptr);
  if (!open_) return;
  if (stuck_.load() > 0) {
    drained_ = std::move(drained);
  } else {
    mailbox_->post([call = std::move(drained)](Loop&) { call(); });
  }
}

std::vector<Bytes> StreamQueue::take() {
  std::lock_guard lock(mutex_);
  backlog_.fetch_add(posted_);  // until the connection reports how much is left
  posted_ = 0;
  return std::exchange(pending_, {});
}

void StreamQueue::set_backlog(std::size_t bytes) {
  backlog_.store(bytes);
  if (bytes == 0 && stuck_.load() == 0) return;  // nothing waited, so no callback waits for its end
  std::lock_guard lock(mutex_);
  stuck_.store(bytes);
  if (bytes > 0 || !drained_) return;
  // Not from here: the connection is in the middle of something, and the callback may write.
  mailbox_->post([call = std::exchange(drained_, nullptr)](Loop&) { call(); });
}

}  // namespace gantry::host::http
