// host/sessions/streams.hpp: the streams of one session, which outlive their connections.
//
// Stream 0 carries messages that belong to no request; every other stream belongs to a request and
// ends with its answer. A message goes to exactly one stream, as an event with an id. It is sent to
// the stream's sink, if there is one, and kept for a while. A client that reconnects names its last
// event and gets the later ones in order, none twice, then new ones. Without a sink, events are
// only kept.
//
// Any thread; messages of one thread on one stream keep their order. Sinks are called under the
// lock.
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

namespace gantry::host {

using EventSinkPtr = std::shared_ptr<EventSink>;

// The stream of messages that belong to no request.
inline constexpr std::uint64_t kListening = 0;

class Streams {
 public:
  explicit Streams(ReplayLimits limits = {}) : replay_(limits) {}

  // Counts kept events in `share`. Call once, before anything is kept. The budget may make the
  // share call forget().
  void count_in(ByteBudget::Share share) { share_ = std::move(share); }
  // Drops all kept events; clients that reconnect are told of the gap.
  void forget();

  // Opens a request's stream, for the next three functions. `prime`: it begins with an event
  // without data, for clients that know such events.
  std::uint64_t open(EventSinkPtr sink, bool prime);
  void send(std::uint64_t stream, std::string message);
  // The stream's last message, the answer; then it ends. Where the answer is too large to be kept,
  // `instead` is kept for a client that has lost its connection.
  void finish(std::uint64_t stream, std::string answer, std::string instead = {});
  // Closes the connection, not the stream: the client reconnects for the rest. False: no
  // connection, or no event was sent from which it could resume.
  bool release(std::uint64_t stream);
  // Room to keep a message of that size.
  bool fits(std::size_t bytes) const { return replay_.fits(bytes); }

  // Attaches the client to stream 0 and detaches its earlier connection: a client that listens
  // again has lost that one, even if this side has not noticed. Starts with events that no
  // connection was sent. False: the session has ended.
  bool listen(EventSinkPtr sink, bool prime);

  enum class Resumed {
    live,      // replayed what came later, and goes on
    complete,  // replayed the rest of a stream that has ended, and closed
    unknown,   // no such stream, or its rest is not kept: nothing was done with the sink
  };
  // Resumes after the event `last`. If later events were dropped, the sink is told of the gap.
  Resumed resume(EventId last, EventSinkPtr sink);

  // Sends on stream 0. False: dropped, for the client has never listened.
  bool push(std::string message);

  // The client of this sink is gone; its stream goes on.
  void detach(const EventSink& sink);
  // Ends the listening connection, not the stream.
  void close_listener();
  // Keeps no further events and closes the listening connection; streams of requests end with their
  // answers.
  void end();

  // Connections now.
  std::size_t attached() const;
  // Bytes on stream 0 that the client has not taken yet; 0 without a connection.
  std::size_t backlog() const;

 private:
  struct Stream {
    EventSinkPtr sink;         // null: no connection
    std::uint64_t last = 0;    // number of the last event
    std::uint64_t handed = 0;  // … given to a sink
    std::uint64_t lost = 0;    // … that is not kept any more
    bool resumable = false;    // a client may know an event's id
    bool answered = false;
    bool listened = false;  // stream 0: a client has listened
  };
  using Table = std::map<std::uint64_t, Stream>;

  // Reports kept bytes to the share. Called without the streams' lock: the budget may make other
  // sessions forget, which take their own locks.
  void settle();
  void lost(EventId id);
  void append(std::uint64_t number, Stream& stream, Text message, const Text& kept);
  void keep(EventId id, Text message);
  void give(Stream& stream, EventId id, const Text& message);
  void replay(std::uint64_t number, Stream& stream, std::uint64_t after);
  void prime(std::uint64_t number, Stream& stream);
  void drop_if_done(Table::iterator stream);
  static void take_over(Stream& stream, EventSinkPtr sink);

  std::mutex settling_;  // before mutex_; for share_
  ByteBudget::Share share_;
  mutable std::mutex mutex_;  // for what follows
  bool ended_ = false;
  std::uint64_t next_ = kListening + 1;
  Table table_{{kListening, {}}};
  Replay replay_;
};

}  // namespace gantry::host
