// host/loader/control_thread.hpp: the one thread on which plugins are made, ended and unloaded.
//
// Work is done in the order it came. The destructor finishes what is queued.
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
  // `poll` is called there after each piece of work, and again after the time it returns unless
  // work comes first; nothing: not before that.
  using Poll = std::function<std::optional<std::chrono::milliseconds>()>;
  explicit ControlThread(Poll poll = {});
  ~ControlThread();

  // Runs `work` there and waits for it. Not from the control thread itself.
  void run(const std::function<void()>& work);
  // Has `work` run there, later. Any thread.
  void post(std::function<void()> work);

 private:
  void loop();

  const Poll poll_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<void()>> queue_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace gantry::host
