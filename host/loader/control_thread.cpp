#include "host/loader/control_thread.hpp"

#include <pthread.h>

#include <utility>

namespace gantry::host {

ControlThread::ControlThread(AfterWork after_work)
    : after_work_(std::move(after_work)), thread_([this] { loop(); }) {
  ::pthread_setname_np(thread_.native_handle(), "gantry-loader");
}

ControlThread::~ControlThread() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void ControlThread::run(const std::function<void()>& work) {
  std::packaged_task<void()> task(work);
  std::future<void> done = task.get_future();
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
  done.get();
}

void ControlThread::post(std::function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    queue_.emplace_back(std::move(work));
  }
  wake_.notify_one();
}

void ControlThread::loop() {
  std::optional<Time> next;
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto wanted = [this] { return ending_ || !queue_.empty(); };
    if (next) {
      wake_.wait_until(lock, *next, wanted);
    } else {
      wake_.wait(lock, wanted);
    }
    if (!queue_.empty()) {
      std::packaged_task<void()> task = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      task();
      task = {};
      lock.lock();
    } else if (ending_) {
      return;
    }
    lock.unlock();
    next = after_work_();
    lock.lock();
  }
}

}  // namespace gantry::host
