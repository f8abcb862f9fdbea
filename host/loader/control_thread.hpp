// host/loader/control_thread.hpp: the one thread on which plugins are made, ended and unloaded.
//
// Work is done in the order it was queued. The destructor does all queued work first.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

namespace gantry::host {

class ControlThread {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // Called there after each piece of work, and at the time it returned unless work comes first.
  // nullopt: only after the next piece of work.
  using AfterWork = std::function<std::optional<Time>()>;
  explicit ControlThread(AfterWork after_work);
  ~ControlThread();

  // Runs `work` there and waits for it. Not from the control thread itself.
  void run(const std::function<void()>& work);
  // Has `work` run there, later. Any thread.
  void post(std::function<void()> work);

 private:
  void loop();

  const AfterWork after_work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<void()>> queue_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace gantry::host
