// host/http/mailbox.hpp (private): work for an I/O thread, from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace gantry::host::http {

class Loop;

class Mailbox {
 public:
  using Task = std::function<void(Loop&)>;

  // Throws std::system_error where no descriptor is left.
  Mailbox();
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Readable while tasks wait. Woken only when the list was empty: a burst costs one wake-up.
  int fd() const { return fd_; }
  // False: closed; the task will never run.
  bool post(Task task);
  // I/O thread: moves the waiting tasks into `tasks`, which should be empty.
  void take(std::vector<Task>& tasks);
  // Drops waiting tasks and refuses new ones.
  void close();

 private:
  const int fd_;
  std::mutex mutex_;
  std::vector<Task> tasks_;
  bool closed_ = false;
};

}  // namespace gantry::host::http
