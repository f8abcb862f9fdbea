#include "host/calls/pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace gantry::host {
namespace {
thread_local Pool* current_pool = nullptr;
}

Pool::Pool(PoolSize size, std::function<void()> before_sleep)
    : before_sleep_(std::move(before_sleep)) {
  crew_.size = size;
  crew_.size.threads = std::max(1U, size.threads);
  std::lock_guard lock(mutex_);
  for (unsigned i = 0; i < crew_.size.threads; ++i) add_thread_locked();
}

Pool::~Pool() {
  {
    std::lock_guard lock(mutex_);
    is_.stopping = true;
  }
  wake_.notify_all();
  timer_.reset();
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

void Pool::post(GroupId group, Work work) {
  bool wake = false;
  {
    std::lock_guard lock(mutex_);
    queue_.push(group, std::move(work), Clock::now());
    wake = spread_locked();
  }
  if (wake) wake_.notify_one();
}

void Pool::flush() {
  std::unique_lock lock(mutex_);
  while (!queue_.empty()) {
    auto taken = queue_.take();
    lock.unlock();
    taken.work();
    taken.work = nullptr;
    lock.lock();
    queue_.done(taken.group);
  }
}

std::size_t Pool::queued() const {
  std::lock_guard lock(mutex_);
  return queue_.size();
}

std::uint64_t Pool::delayed() const {
  std::lock_guard lock(mutex_);
  return delayed_;
}

bool Pool::may_begin_locked() const {
  if (queue_.empty()) return false;
  return is_.stopping || crew_.may_begin() || crew_.may_begin(queue_.running_of_next());
}

// Finds threads for the queued work. One thread is woken at a time; it wakes the next one if more
// work is queued. Waking a thread for each piece of work wakes most of them too late. True: the
// caller must notify.
bool Pool::spread_locked() {
  if (queue_.empty()) return false;
  if (crew_.lacks_replacement()) try_add_thread_locked();
  if (crew_.idle > 0 && may_begin_locked()) return !std::exchange(is_.waking, true);
  const bool may_relieve = crew_.size.relief > 0 && !is_.stopping;
  if (may_relieve && !std::exchange(is_.looking, true)) {
    timer_->set(Clock::now() + kLook, [this] { look(); });
  }
  return false;
}

// The timer's thread: adds threads for overdue pieces, and sets the timer again while pieces wait.
void Pool::look() {
  bool wake = false;
  {
    std::lock_guard lock(mutex_);
    is_.looking = false;
    if (is_.stopping) return;
    const Clock::time_point now = Clock::now();
    const auto overdue = queue_.overdue(crew_.relieved_below(), now - kPatience);
    unsigned missing = crew_.lacks_relief(overdue);
    if (missing > 0) relieved_ = now;
    while (missing > 0 && try_add_thread_locked()) --missing;
    wake = spread_locked();
  }
  if (wake) wake_.notify_one();
}

void Pool::add_thread_locked() {
  for (const std::thread::id id : done_) {
    auto it = std::find_if(all_.begin(), all_.end(), [&](auto& t) { return t.get_id() == id; });
    if (it == all_.end()) continue;
    it->join();  // returns soon: the thread leaves run() and takes no more locks
    all_.erase(it);
  }
  done_.clear();
  const bool extra = crew_.alive >= crew_.size.threads;
  all_.emplace_back([this, extra] { run(extra); });
  ++crew_.alive;
  ++crew_.starting;
}

// False: the system cannot start another thread now.
bool Pool::try_add_thread_locked() {
  try {
    add_thread_locked();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

bool Pool::must_go_locked(bool extra) const {
  if (is_.stopping) return queue_.empty();
  return extra && crew_.has_surplus() && Clock::now() >= relieved_ + kLinger;
}

// False: the thread must end.
bool Pool::sleep(std::unique_lock<std::mutex>& lock, bool extra) {
  ++crew_.idle;
  while (!may_begin_locked() && !must_go_locked(extra)) {
    if (extra && crew_.has_surplus()) {
      wake_.wait_until(lock, relieved_ + kLinger);
    } else {
      wake_.wait(lock);
    }
    is_.waking = false;
  }
  --crew_.idle;
  return may_begin_locked();
}

void Pool::work(std::unique_lock<std::mutex>& lock) {
  const Clock::time_point now = Clock::now();
  auto taken = queue_.take();
  ++crew_.working;
  if (now - taken.since >= kPatience) ++delayed_;
  if (crew_.working - crew_.waiting > crew_.size.threads) relieved_ = now;
  const bool wake = spread_locked();
  lock.unlock();
  if (wake) wake_.notify_one();
  taken.work();
  taken.work = nullptr;
  lock.lock();
  --crew_.working;
  queue_.done(taken.group);
}

void Pool::run(bool extra) {
  ::pthread_setname_np(::pthread_self(), "gantry-pool");
  current_pool = this;
  std::unique_lock lock(mutex_);
  --crew_.starting;
  for (;;) {
    if (may_begin_locked()) {
      work(lock);
      continue;
    }
    if (must_go_locked(extra)) break;
    lock.unlock();
    before_sleep_();
    lock.lock();
    if (!sleep(lock, extra)) break;
  }
  --crew_.alive;
  if (!is_.stopping) done_.push_back(std::this_thread::get_id());
}

Pool::Waiting::Waiting(Pool& pool)
    : pool_(current_pool != nullptr ? *current_pool : pool), counted_(current_pool != nullptr) {
  if (!counted_) return;
  bool wake = false;
  {
    std::lock_guard lock(pool_.mutex_);
    ++pool_.crew_.waiting;
    wake = pool_.spread_locked();
  }
  if (wake) pool_.wake_.notify_one();
}

Pool::Waiting::~Waiting() {
  if (!counted_) return;
  std::lock_guard lock(pool_.mutex_);
  --pool_.crew_.waiting;
  // An extra thread may now be surplus; a surplus thread ends when it wakes.
  pool_.wake_.notify_all();
}

}  // namespace gantry::host
