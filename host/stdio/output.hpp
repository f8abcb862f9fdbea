// host/stdio/output.hpp (private): writes lines of many threads to one descriptor.
//
// A dedicated thread writes, so that a client that does not read blocks no other thread. Any
// thread, except where stated.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "host/base/live_count.hpp"
#include "host/limits/gate.hpp"

namespace gantry::host {

class StdioOutput {
 public:
  // `fd` must outlive stop().
  StdioOutput(int fd, int max_listeners);
  ~StdioOutput();

  // Queues one message; it is no error if the client has closed its end.
  void line(std::string message);
  // The same for messages that may be dropped: not queued when too many bytes are.
  void note(std::string message);

  // Bytes that have not been written, whether the client reads or not.
  std::size_t waiting() const;
  // Bytes that the client's pipe does not take now.
  std::size_t backlog() const;
  // As rpc::Sink has it, for each `owner` apart; null for `drained` forgets.
  void when_drained(const void* owner, std::function<void()> drained);

  // Places for requests that listen.
  Gate& listeners() { return listeners_; }
  // The answers that are still to come, except those of listening requests.
  LiveCount& answers() { return answers_; }

  // Begins to write. Once, by the thread that serves.
  void start();
  // Writes queued lines for at most `limit`, then drops them and all later ones.
  void stop(std::chrono::milliseconds limit);

 private:
  using Lock = std::unique_lock<std::mutex>;

  void write_lines();
  bool take(std::string& lines);
  void report_drained(Lock& lock);
  bool write_out(std::string_view lines);
  bool wait_writable();

  const int fd_;
  int wake_ = -1;  // eventfd; ends the wait of the writer for the client
  Gate listeners_;
  LiveCount answers_;
  mutable std::mutex mutex_;
  std::condition_variable more_, empty_;
  std::string queue_;
  std::map<const void*, std::function<void()>> drained_;
  std::size_t in_hand_ = 0;  // bytes being written
  struct {
    bool stuck = false, gone = false, stopping = false;  // stuck, gone: the client
  } is_;
  std::thread writer_;
};

}  // namespace gantry::host
