// host/sessions/session_stream.hpp (private): one stream of a session: the numbers of its events
// and its connection.
//
// It keeps no events; those are in the Replay. Not thread-safe: Streams calls it under its lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "host/sessions/event_sink.hpp"

namespace gantry::host {

class Replay;

using EventSinkPtr = std::shared_ptr<EventSink>;

class SessionStream {
 public:
  // `before`: the number of an event that went before its first one and is not kept.
  explicit SessionStream(std::uint64_t number, std::uint64_t before = 0)
      : number_(number), last_(before), handed_(before), lost_(before) {}

  // Replaces the sink, closing the earlier one; null: the stream has no connection now.
  void connect(EventSinkPtr sink);
  // Drops the sink without closing it, because its client has disconnected.
  void disconnect() { sink_ = nullptr; }
  bool is_connected() const { return sink_ != nullptr; }
  bool is_connected_to(const EventSink& sink) const { return sink_.get() == &sink; }
  // Bytes sent that the client has not taken yet; 0 without a connection.
  std::size_t backlog() const { return sink_ ? sink_->backlog() : 0; }

  // The id of a new event.
  EventId next() { return {number_, ++last_}; }
  // Sends the event, if there is a connection.
  void give(EventId id, const Text& message);
  // Sends an event without data, if there is a connection.
  void prime();
  // Sends the kept events after this number; gap() first if some of them are not kept any more.
  void replay(const Replay& kept, std::uint64_t after);
  // The same for the events that were sent on no connection. False: there are none.
  bool replay_unsent(const Replay& kept);
  // The event with this number is not kept any more.
  void lose(std::uint64_t number);

  // The answer was sent: no further events come.
  void set_answered() { answered_ = true; }
  bool is_answered() const { return answered_; }
  // A client may know an event's id.
  bool is_resumable() const { return resumable_; }
  // True if a client may resume after the event with this number: it was sent, and the answer is
  // kept unless that was the event.
  bool resumes_after(std::uint64_t number) const;

 private:
  std::uint64_t number_;
  EventSinkPtr sink_;     // null: no connection
  std::uint64_t last_;    // number of the last event
  std::uint64_t handed_;  // of the last event that was given to a sink
  std::uint64_t lost_;    // of the last event that is not kept any more
  bool resumable_ = false, answered_ = false;
};

}  // namespace gantry::host
