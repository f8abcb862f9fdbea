// host/base/more_to_do.hpp: thread-local flag: this I/O thread has more queued events.
//
// Code that would busy-wait on the thread checks the flag first.
#pragma once

namespace gantry::host {

class MoreToDo {
 public:
  static bool here() { return here_; }

  // For as long as this lives, on the thread that made it.
  explicit MoreToDo(bool is_more) : before_(here_) { here_ = is_more; }
  ~MoreToDo() { here_ = before_; }
  MoreToDo(const MoreToDo&) = delete;
  MoreToDo& operator=(const MoreToDo&) = delete;

 private:
  static inline thread_local bool here_ = false;
  const bool before_;
};

}  // namespace gantry::host
