#include "host/calls/pool.hpp"

#include <algorithm>

namespace gantry::host {
namespace {
thread_local Pool* current_pool = nullptr;
}

Pool::Pool(unsigned threads, unsigned extra, std::function<void()> before_sleep)
    : threads_(std::max(1u, threads)), max_extra_(extra), before_sleep_(std::move(before_sleep)) {
  std::lock_guard lock(mutex_);
  for (unsigned i = 0; i < threads_; ++i) add_thread_locked();
}

Pool::~Pool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  // Threads are only added by threads that still run, so the list ends.
  for (;;) {
    std::thread thread;
    {
      std::lock_guard lock(mutex_);
      if (all_.empty()) return;
      thread = std::move(all_.back());
      all_.pop_back();
    }
    thread.join();
  }
}

void Pool::post(Work work) {
  bool wake = false;
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    if (idle_ == 0 && alive_ - waiting_ < threads_ && alive_ < threads_ + max_extra_) {
      add_thread_locked();
    }
    wake = wants_help_locked();
  }
  if (wake) wake_.notify_one();
}

std::size_t Pool::queued() const {
  std::lock_guard lock(mutex_);
  return queue_.size();
}

// One thread is woken at a time; it wakes the next when it finds more than it takes. Waking one for
// each piece of work has most of them come too late. True: the caller notifies.
bool Pool::wants_help_locked() {
  if (queue_.empty() || idle_ == 0 || waking_) return false;
  return waking_ = true;
}

void Pool::add_thread_locked() {
  for (const std::thread::id id : done_) {
    auto it = std::find_if(all_.begin(), all_.end(), [&](auto& t) { return t.get_id() == id; });
    if (it == all_.end()) continue;
    it->join();  // it has left run() or is about to; it takes no lock any more
    all_.erase(it);
  }
  done_.clear();
  const bool extra = alive_ >= threads_;
  ++alive_;
  all_.emplace_back([this, extra] { run(extra); });
}

bool Pool::surplus_locked() const { return alive_ - waiting_ > threads_; }

void Pool::sleep(std::unique_lock<std::mutex>& lock, bool extra) {
  ++idle_;
  while (!stopping_ && queue_.empty() && !(extra && surplus_locked())) {
    wake_.wait(lock);
    waking_ = false;
  }
  --idle_;
}

void Pool::run(bool extra) {
  current_pool = this;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (queue_.empty()) {
      if (stopping_ || (extra && surplus_locked())) break;
      lock.unlock();
      before_sleep_();
      lock.lock();
      sleep(lock, extra);
      continue;
    }
    Work work = std::move(queue_.front());
    queue_.pop_front();
    const bool wake = wants_help_locked();
    lock.unlock();
    if (wake) wake_.notify_one();
    work();
    work = nullptr;
    lock.lock();
  }
  --alive_;
  if (!stopping_) done_.push_back(std::this_thread::get_id());
}

Pool::Waiting::Waiting(Pool& pool)
    : pool_(current_pool != nullptr ? *current_pool : pool), counted_(current_pool != nullptr) {
  if (!counted_) return;
  std::lock_guard lock(pool_.mutex_);
  ++pool_.waiting_;
  if (!pool_.queue_.empty() && pool_.idle_ == 0 &&
      pool_.alive_ < pool_.threads_ + pool_.max_extra_) {
    pool_.add_thread_locked();
  }
}

Pool::Waiting::~Waiting() {
  if (!counted_) return;
  std::lock_guard lock(pool_.mutex_);
  --pool_.waiting_;
  // An extra thread may now be one too many; it ends by itself.
  pool_.wake_.notify_all();
}

}  // namespace gantry::host
