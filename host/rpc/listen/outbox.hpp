// host/rpc/listen/outbox.hpp (private): the messages to one listening request, sent no faster than
// its client reads.
//
// Messages go to the request's sink at once, as long as its client takes them. Otherwise they wait,
// a bounded number of them, until the sink says that it is empty; no thread waits with them.
//
//   made -> open() -> put()… -> end(), or a message too many: the answer is sent
//        -> refuse(): another answer instead
//   and at any time stop(): the client has gone; nothing more is sent
//
// Any thread; the sink is called with nothing locked, by one thread at a time.
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
  // `most` may wait for the client; `last` is the answer after everything.
  Outbox(std::shared_ptr<Sink> sink, std::size_t most, Answer last)
      : sink_(std::move(sink)), pending_(most), last_(std::move(last)) {}

  // Takes a place for listening at the sink. False: there is none; refuse() then.
  bool listen() { return sink_->listen(); }
  // What is sent before everything else, once.
  void hold(std::string first);
  void open();
  void refuse(Answer answer);

  // Messages under the same key merge while they wait. False: too many wait, and the answer was
  // given instead.
  bool put(std::string_view key, std::string message);
  // Sends what waits, then the answer.
  void end();
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
