// tools/worker/readers.hpp: the threads that read frames and enter the plugin.
//
// They take turns: the thread that has read a call lets another thread read and enters the plugin
// itself, so that a call is never handed from thread to thread. There is one thread more than the
// largest number of calls that were in the plugin at once.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "link.hpp"
#include "main_thread.hpp"

namespace gantry::worker {

class Readers {
 public:
  // Returns the work of a frame that enters the plugin. Processes any other frame and returns
  // nothing. Called by the thread whose turn it is.
  using WorkOf = std::function<Work(const wire::Frame&)>;

  // `link` and `main` outlive it, and it outlives its threads: it ends with the process.
  Readers(Link& link, MainThread& main, WorkOf work_of)
      : link_(link), main_(main), work_of_(std::move(work_of)) {}

  // Starts the first thread.
  void start();

 private:
  void serve();
  // Waits for its turn to read, and reads until a frame is to enter the plugin. Then another thread
  // has the turn.
  Work next_work();
  bool add_reader();

  Link& link_;
  MainThread& main_;
  const WorkOf work_of_;
  std::mutex reading_;
  std::atomic<int> waiting_{0};  // for that lock; becomes less under the lock only
};

}  // namespace gantry::worker
