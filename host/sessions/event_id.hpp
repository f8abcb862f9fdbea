// host/sessions/event_id.hpp: the ids of server-sent events, from which a client resumes a stream.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::host {

struct EventId {
  std::uint64_t stream = 0;  // of its session
  std::uint64_t number = 0;  // of its stream

  bool operator==(const EventId&) const = default;
};

// "s<stream>-<number>", both decimal.
std::string to_text(EventId id);
// Parses the value of Last-Event-ID. Nothing unless the text has exactly the form of to_text(): no
// leading zeros, signs or blanks, and no number beyond 64 bits.
std::optional<EventId> parse_event_id(std::string_view text);

}  // namespace gantry::host
