// host/sessions/streams.hpp: the streams of one session, which outlive their connections.
//
// Stream 0 carries what the server says unasked; every other one belongs to a request and ends with
// its answer. A message goes to exactly one stream. Each is an event with an id, is sent to the
// stream's outlet if it has one, and is kept for a while: a client that lost its connection names
// the last event it saw and gets those after it, in order and none twice, then what is new. A
// stream without an outlet goes on into what is kept.
//
// Any thread; what is sent on one stream by one thread arrives in its order. Outlets are called
// under the lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "host/limits/byte_budget.hpp"
#include "host/sessions/outlet.hpp"
#include "host/sessions/replay.hpp"

namespace gantry::host {

using OutletPtr = std::shared_ptr<Outlet>;

// The stream of what nobody asked for.
inline constexpr std::uint64_t kListening = 0;

class Streams {
 public:
  explicit Streams(ReplayLimits limits = {}) : replay_(limits) {}

  // What is kept is counted in `share` from now on. Once, before anything is kept. Whoever makes
  // the share lets it call forget().
  void count_in(ByteBudget::Share share) { share_ = std::move(share); }
  // Drops what is kept; clients that come back are told of the gap.
  void forget();

  // A request's new stream, for the next three. `prime`: it begins with an event that says nothing,
  // for peers that know such events.
  std::uint64_t open(OutletPtr outlet, bool prime);
  void send(std::uint64_t stream, std::string message);
  // The stream's last message, the answer; then it ends. Where the answer is too large to be kept,
  // `instead` is kept for a client that has lost its connection.
  void finish(std::uint64_t stream, std::string answer, std::string instead = {});
  // Ends the connection, not the stream: the client comes back for the rest. False: no connection,
  // or no event was sent that it could come back with.
  bool release(std::uint64_t stream);
  // Room to keep a message of that size.
  bool fits(std::size_t bytes) const { return replay_.fits(bytes); }

  // The client listens to stream 0 from now on, instead of where it listened before: who comes
  // again has lost the connection, whether this side noticed or not. Begins with what no
  // connection was given. False: the session has ended.
  bool listen(OutletPtr outlet, bool prime);

  enum class Resumed {
    live,      // replayed what came later, and goes on
    complete,  // replayed the rest of a stream that has ended, and closed
    unknown,   // no such stream, or its rest is not kept: nothing was done with the outlet
  };
  // The client comes back having seen `last`. Where events after it had to go, the outlet is told
  // of the gap.
  Resumed resume(EventId last, OutletPtr outlet);

  // Sends on stream 0. False: dropped, for the client has never listened.
  bool push(std::string message);

  // The client of this outlet is gone; its stream goes on.
  void detach(const Outlet& outlet);
  // Ends the listening connection, not the stream.
  void close_listener();
  // Keeps nothing from now on and ends what listens; requests' streams end with their answers.
  void end();

  // Connections now.
  std::size_t attached() const;
  // Bytes on stream 0 that the client has not taken yet; 0 without a connection.
  std::size_t backlog() const;

 private:
  struct Stream {
    OutletPtr outlet;          // null: no connection
    std::uint64_t last = 0;    // number of the last event
    std::uint64_t handed = 0;  // … given to an outlet
    std::uint64_t lost = 0;    // … that is not kept any more
    bool resumable = false;    // a client may know an event's id
    bool answered = false;
    bool listened = false;  // stream 0: somebody has listened
  };
  using Table = std::map<std::uint64_t, Stream>;

  // After what is kept may have changed, and without the lock of the streams: other sessions may be
  // made to forget, and they take theirs.
  void settle();
  void lost(EventId id);
  void append(std::uint64_t number, Stream& stream, Text message, const Text& kept);
  void keep(EventId id, Text message);
  void give(Stream& stream, EventId id, const Text& message);
  void replay(std::uint64_t number, Stream& stream, std::uint64_t after);
  void prime(std::uint64_t number, Stream& stream);
  void drop_if_done(Table::iterator stream);
  static void take_over(Stream& stream, OutletPtr outlet);

  std::mutex settling_;  // before mutex_; for share_
  ByteBudget::Share share_;
  mutable std::mutex mutex_;  // for what follows
  bool ended_ = false;
  std::uint64_t next_ = kListening + 1;
  Table table_{{kListening, {}}};
  Replay replay_;
};

}  // namespace gantry::host
