// host/sessions/replay.hpp (private): the last events of one session, kept for clients that
// reconnect.
//
// Not thread-safe.
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

  // Room for one message of this size, once all others have gone.
  bool fits(std::size_t bytes) const { return limits_.events > 0 && bytes <= limits_.bytes; }
  // Forgets all, and tells of each.
  void drop(const Dropped& dropped);
  // Keeps it; tells what had to go, which may be the new one itself.
  void keep(EventId id, Text message, const Dropped& dropped);
  bool has_any_of(std::uint64_t stream) const;
  // The stream's events after that one, in order, until `visit` says false.
  void each_after(EventId id, const std::function<bool(EventId, const Text&)>& visit) const;
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
