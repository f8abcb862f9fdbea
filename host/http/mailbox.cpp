#include "host/http/mailbox.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "host/http/live_exchange.hpp"

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

bool Mailbox::put(Task task) {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return false;
    tasks_.push_back(std::move(task));
    if (wake_ == Wake::awake) return true;
    if (DeferredWakeups::defer(weak_from_this().lock())) {
      wake_ = Wake::promised;
      return true;
    }
    wake_ = Wake::awake;
  }
  ::eventfd_write(fd_, 1);
  return true;
}

void Mailbox::wake_up() noexcept {
  {
    std::lock_guard lock(mutex_);
    if (wake_ != Wake::promised) return;
    wake_ = Wake::awake;
  }
  ::eventfd_write(fd_, 1);
}

void Mailbox::take(std::vector<Task>& tasks) {
  eventfd_t ignored;
  ::eventfd_read(fd_, &ignored);  // before the list: a task posted between the two wakes again
  std::lock_guard lock(mutex_);
  wake_ = Wake::asleep;
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
