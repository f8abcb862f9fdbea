// host/worker/messages.hpp: the bodies of the larger frames, for both ends.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "host/worker/wire.hpp"

namespace gantry::host::worker {

// The body of `create`.
struct Setup {
  std::string_view config;
  std::vector<std::string_view> services;  // those of the host that this plugin may use

  void put_into(FrameWriter& frame) const;
  static std::optional<Setup> from(std::string_view body);
};

// The body of `invoke`: everything about a call that a plugin can ask for without the host.
struct Entry {
  std::string_view kind, name, arguments;
  std::uint64_t deadline = 0;
  // Properties of the call (gantry_call_api.property).
  std::string_view agent, protocol, correlation_id, max_answer_bytes;
  std::string_view state;  // gantry.input/1
  // Bytes that the worker may write without asking; beyond them it asks for each piece.
  std::uint64_t room = 0;

  void put_into(FrameWriter& frame) const;
  static std::optional<Entry> from(std::string_view body);
};

using Parts = std::vector<std::pair<std::string_view, std::string_view>>;  // type, body

// To the end of the body.
std::optional<Parts> parts_from(BodyReader& body);

}  // namespace gantry::host::worker
