// host/http/stream_queue.hpp (private): the events of one exchange's stream, or the parts of its
// body, that wait: here for the I/O thread, or in the connection for the client. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "host/http/exchange.hpp"
#include "host/http/mailbox.hpp"

namespace gantry::host::http {

class StreamQueue {
 public:
  enum class Added {
    first,    // queued; the caller must post a task to the I/O thread
    more,     // queued; a task for earlier events takes these with them
    refused,  // too many bytes are queued, or the body would be longer than announced
  };

  // At most `limit` bytes wait. `mailbox` runs the callback.
  StreamQueue(std::shared_ptr<Mailbox> mailbox, std::size_t limit)
      : mailbox_(std::move(mailbox)), limit_(limit) {}

  // Begins a stream; with `length` a body of exactly that many bytes.
  void open(std::optional<std::uint64_t> length);
  Added add(Bytes events);
  // Ends the stream; no callback follows. False: bytes of the body were never written.
  bool end();

  // As Exchange::backlog() and when_drained().
  std::size_t backlog() const { return stuck_.load(); }
  void when_drained(std::function<void()> drained);

  // I/O thread: the events that wait to be written.
  std::vector<Bytes> take();
  // I/O thread: bytes of the stream that wait in the connection.
  void set_backlog(std::size_t bytes);

 private:
  const std::shared_ptr<Mailbox> mailbox_;
  const std::size_t limit_;
  std::atomic<std::size_t> backlog_{0};  // in the connection, or taken and just on the way into it
  std::atomic<std::size_t> stuck_{0};    // in the connection, when it last reported
  std::mutex mutex_;                     // of the members below
  bool open_ = false;
  std::vector<Bytes> pending_;            // not yet taken
  std::size_t posted_ = 0;                // their cost
  std::optional<std::uint64_t> missing_;  // bytes of the body that were not written
  std::function<void()> drained_;
};

}  // namespace gantry::host::http
