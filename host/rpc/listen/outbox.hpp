// host/rpc/listen/outbox.hpp (private): the messages to one listening request, sent no faster than
// its client reads.
//
// Messages go to the request's sink at once, as long as its client takes them. Otherwise a bounded
// number of them is queued until the sink has drained. No thread blocks meanwhile.
//
//   made -> open() -> put()… -> end(), or the queue overflows: the answer is sent
//        -> refuse(): another answer instead
//   and at any time stop(): the client has disconnected; no more messages are sent
//
// Any thread; the sink is called with no lock held, by one thread at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "host/bus/pending.hpp"
#include "host/rpc/message/context.hpp"

namespace gantry::host::rpc {

class Outbox : public std::enable_shared_from_this<Outbox> {
 public:
  // `most`: messages that may be queued; `last`: the answer, sent after all messages.
  Outbox(std::shared_ptr<Sink> sink, std::size_t most, Answer last)
      : sink_(std::move(sink)), pending_(most), last_(std::move(last)) {}

  // Takes a place for listening at the sink. False: none is free; then call refuse().
  bool listen() { return sink_->listen(); }
  // Sets the message that open() sends first.
  void hold(std::string first);
  // Sends that message and then the queued ones. Call once, unless refuse() is called.
  void open();
  // Sends `answer` instead of the messages.
  void refuse(Answer answer);

  // Sends or queues a message. It replaces a queued message of the same key. False: the queue is
  // full; the answer was sent instead.
  bool put(std::string_view key, std::string message);
  // Sends the queued messages, then the answer.
  void end();
  // Drops the queued messages; the client has disconnected.
  void stop();
  bool is_stopped() const { return stopped_; }

 private:
  bool may_pass() const;
  void notify(std::unique_lock<std::mutex>& lock, std::string message);
  void pump(std::unique_lock<std::mutex>& lock);
  bool is_over() const { return stopped_ || (ended_ && pending_.empty()); }
  void give_answer(std::unique_lock<std::mutex>& lock);
  void wait_until_drained(std::unique_lock<std::mutex>& lock);
  void drained();

  std::mutex mutex_;
  std::shared_ptr<Sink> sink_;  // null once answered
  Pending pending_;
  Answer last_;
  std::string first_;
  bool sending_ = true;   // a thread uses the sink; at first, the one that calls open()
  bool waiting_ = false;  // for the client to read
  bool ended_ = false;
  std::atomic<bool> stopped_{false};
};

}  // namespace gantry::host::rpc
