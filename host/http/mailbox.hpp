// host/http/mailbox.hpp (private): work for an I/O thread, from any thread.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "host/base/deferred_wakeups.hpp"

namespace gantry::host::http {

class LiveExchange;
class Loop;

class Mailbox final : public Wakeable, public std::enable_shared_from_this<Mailbox> {
 public:
  using Work = std::function<void(Loop&)>;
  // Either of the two.
  struct Task {
    Work work;
    std::shared_ptr<LiveExchange> writer;  // its gathered events are to be written
  };

  // Throws std::system_error where no descriptor is left.
  Mailbox();
  ~Mailbox() override;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Readable while tasks wait, or from the end of the DeferredWakeups in which the first of them
  // was posted. All tasks posted until they are taken cost one wake-up.
  int fd() const { return fd_; }
  // False: closed; the task will never run.
  bool post(Work work) { return put({std::move(work), nullptr}); }
  // The same without an allocation for each.
  bool post_events(std::shared_ptr<LiveExchange> writer) { return put({{}, std::move(writer)}); }
  // I/O thread: moves the waiting tasks into `tasks`, which should be empty.
  void take(std::vector<Task>& tasks);
  // Drops waiting tasks and refuses new ones.
  void close();
  void wake_up() noexcept override;

 private:
  enum class Wake { asleep, promised, awake };

  bool put(Task task);

  const int fd_;
  std::mutex mutex_;
  std::vector<Task> tasks_;
  Wake wake_ = Wake::asleep;
  bool closed_ = false;
};

}  // namespace gantry::host::http
