// host/sessions/replay.hpp (private): the last events of one session, kept for clients that
// reconnect.
//
// Not thread-safe: Streams calls it under its lock. Throws only std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>

#include "host/config/limit_settings.hpp"
#include "host/sessions/event_sink.hpp"

namespace gantry::host {

class Replay {
 public:
  using Dropped = std::function<void(EventId)>;

  explicit Replay(ReplayLimits limits) : limits_(limits) {}

  // True if a message of this size, in bytes, can be kept, after all others have been dropped.
  bool fits(std::size_t bytes) const { return limits_.events > 0 && bytes <= limits_.bytes; }
  // Drops all events and reports each.
  void drop(const Dropped& dropped);
  // Keeps the event; reports each event dropped for it, which may be the new one itself.
  void keep(EventId id, Text message, const Dropped& dropped);
  bool has_any_of(std::uint64_t stream) const;
  // Visits the stream's events after `id`, in order, until `visit` returns false.
  void each_after(EventId id, const std::function<bool(EventId, const Text&)>& visit) const;
  // Drops all events and reports none.
  void clear();
  std::size_t bytes() const { return bytes_; }

 private:
  struct Kept {
    EventId id;
    Text message;
  };

  const ReplayLimits limits_;
  std::deque<Kept> kept_;  // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace gantry::host
