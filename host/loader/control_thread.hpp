// host/loader/control_thread.hpp: the one thread on which plugins are made, ended and unloaded.
//
// Work is done in the order it came. The destructor finishes what is queued.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace gantry::host {

class ControlThread {
 public:
  ControlThread();
  ~ControlThread();

  // Runs `work` there and waits for it. Not from the control thread itself.
  void run(const std::function<void()>& work);

 private:
  void loop();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<void()>> queue_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace gantry::host
