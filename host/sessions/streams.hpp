// host/sessions/streams.hpp: the streams of one session, which outlive their connections.
//
// Stream 0 carries messages that belong to no request; every other stream belongs to a request and
// ends with its answer. A message goes to exactly one stream, as an event with an id. It is sent to
// the stream's sink, if there is one, and kept for a while. A client that reconnects names its last
// event and gets the later ones in order, none twice, then new ones. Without a sink, events are
// only kept.
//
// Any thread; messages of one thread on one stream keep their order. Sinks are called under the
// lock, so they must not block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "host/limits/byte_budget.hpp"
#include "host/sessions/event_sink.hpp"
#include "host/sessions/replay.hpp"
#include "host/sessions/session_stream.hpp"

namespace gantry::host {

// The stream of messages that belong to no request.
inline constexpr std::uint64_t kListening = 0;

class Streams {
 public:
  // Numbers of requests' streams and of the events of stream 0 begin at `first`. A session that a
  // restarted server opens again begins above all numbers that its client may know: such a client
  // resumes stream 0 after a gap(), and no other stream.
  explicit Streams(ReplayLimits limits = {}, std::uint64_t first = 1)
      : next_(first), replay_(limits) {}

  // Counts kept events in `share`. Call once, before anything is kept. The budget may make the
  // share call forget().
  void count_in(ByteBudget::Share share) { share_ = std::move(share); }
  // Drops all kept events; a client that reconnects gets gap().
  void forget();

  // Opens a request's stream, for the next three functions. `prime`: it begins with an event
  // without data, for clients that know such events.
  std::uint64_t open(EventSinkPtr sink, bool prime);
  // Sends a message that precedes the answer. Ignored after the answer.
  void send(std::uint64_t stream, std::string message);
  // Sends the stream's last message, the answer, and ends the stream. If the answer is too large to
  // be kept, `instead` is kept for a client that has lost its connection.
  void finish(std::uint64_t stream, std::string answer, std::string instead = {});
  // Closes the connection, not the stream: the client reconnects for the rest. False: no
  // connection, or no event was sent from which it could resume.
  bool release(std::uint64_t stream);
  // True if a message of this size, in bytes, can be kept.
  bool fits(std::size_t bytes) const { return replay_.fits(bytes); }

  // Attaches the sink to stream 0 and closes its earlier one: a client that listens again has lost
  // that connection, even if the host has not noticed. Starts with the events that were sent on no
  // connection. False: the session has ended.
  bool listen(EventSinkPtr sink, bool prime);

  enum class Resumed {
    live,      // the later events were replayed; the stream continues on the sink
    complete,  // the rest of an ended stream was replayed; the sink is closed
    unknown,   // no such stream, or its rest is not kept; the sink was not used
  };
  // Resumes after the event `last`. If later events were dropped, the sink gets gap() first.
  Resumed resume(EventId last, EventSinkPtr sink);

  // Sends on stream 0. False: dropped, because the client has never listened or the session ended.
  bool push(std::string message);

  // Called when the client of this sink has disconnected; the stream continues without a sink.
  void detach(const EventSink& sink);
  // Ends the listening connection, not the stream.
  void close_listener();
  // Keeps no further events and closes the listening connection; streams of requests end with their
  // answers.
  void end();

  // Streams that have a connection.
  std::size_t attached() const;
  // Bytes sent on stream 0 that the client has not taken yet; 0 without a connection.
  std::size_t backlog() const;

 private:
  using Table = std::map<std::uint64_t, SessionStream>;

  // Reports kept bytes to the share. Called without the streams' lock, because the budget may call
  // forget() of other sessions, which take their own locks.
  void settle();
  void lost(EventId id);
  void append(SessionStream& stream, const Text& message, const Text& kept);
  void drop_if_done(Table::iterator stream);

  std::mutex settling_;  // before mutex_; for share_
  ByteBudget::Share share_;
  mutable std::mutex mutex_;  // of the members below
  bool ended_ = false;
  bool listened_ = false;  // a client has listened on stream 0
  std::uint64_t next_;     // above kListening
  Table table_;
  // Never answered, so never erased.
  SessionStream& listening_ = table_.try_emplace(kListening, kListening, next_ - 1).first->second;
  Replay replay_;
};

}  // namespace gantry::host
