// host/stdio/output.hpp (private): writes lines of many threads to one descriptor.
//
// A dedicated thread writes, so that a client that does not read blocks no other thread. Any
// thread, except where stated.
#pragma once

#include <atomic>
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

  // More than `most` bytes have not been written, or answers are still to come. True: news()
  // becomes readable when that may have changed.
  bool has_more_than(std::size_t most);
  bool has_open_answers();
  int news() const { return news_; }
  void forget_news();
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
  const int wake_;  // eventfd; ends the wait of the writer for the client
  const int news_;  // eventfd
  Gate listeners_;
  std::atomic<bool> awaits_answers_{false};
  LiveCount answers_;
  mutable std::mutex mutex_;
  std::condition_variable more_, empty_;
  std::string queue_;
  std::map<const void*, std::function<void()>> drained_;
  std::size_t in_hand_ = 0;  // bytes being written
  struct {
    bool stuck = false, gone = false, stopping = false;  // stuck, gone: the client
    bool awaited = false;                                // the next write is news
  } is_;
  std::thread writer_;
};

}  // namespace gantry::host
