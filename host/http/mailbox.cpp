#include "host/http/mailbox.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace gantry::host::http {
namespace {

int open_eventfd() {
  int fd = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return fd;
}

}  // namespace

Mailbox::Mailbox() : fd_(open_eventfd()) {}
Mailbox::~Mailbox() { ::close(fd_); }

bool Mailbox::post(Task task) {
  bool first;
  {
    std::lock_guard lock(mutex_);
    if (closed_) return false;
    first = tasks_.empty();
    tasks_.push_back(std::move(task));
  }
  if (first) ::eventfd_write(fd_, 1);
  return true;
}

void Mailbox::take(std::vector<Task>& tasks) {
  eventfd_t ignored;
  ::eventfd_read(fd_, &ignored);  // before the list: a task posted between the two wakes again
  std::lock_guard lock(mutex_);
  tasks.swap(tasks_);
}

void Mailbox::close() {
  std::vector<Task> dropped;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    dropped.swap(tasks_);
  }
  // Destroyed here, outside the lock: an exchange in a task may post when it goes.
}

}  // namespace gantry::host::http
