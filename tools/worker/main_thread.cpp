#include "main_thread.hpp"

#include <utility>

namespace gantry::worker {

void MainThread::give(Work work) {
  std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  has_work_.notify_one();
}

void MainThread::run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    has_work_.wait(lock, [this] { return !work_.empty(); });
    const Work work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work();
  }
}

}  // namespace gantry::worker
