#include "call_threads.hpp"

#include <utility>

namespace gantry::testing::detail {

CallThreads::~CallThreads() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
  alive_ -= threads_.size();
}

std::future<void> CallThreads::run(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(task));
  if (waiting_.size() > idle_) {
    threads_.emplace_back([this] { work_on(); });
    ++alive_;
  }
  changed_.notify_one();
  return done;
}

void CallThreads::work_on() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return leaving_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    std::packaged_task<void()> task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace gantry::testing::detail
