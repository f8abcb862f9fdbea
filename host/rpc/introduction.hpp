// host/rpc/introduction.hpp (private): the server's `instructions` for one caller, where a plugin
// offers them: the service gantry.instructions/1 of a built-in plugin (sdk/ABI.md, "Instructions").
//
// What the operator wrote comes first. The service runs as the caller, never on this thread, and
// has two seconds: without its text the answer comes without instructions. Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "host/registry/snapshot.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

struct Core;

// The service to ask; null: the operator wrote the instructions, or no plugin offers any.
const Item* introduction_of(const Core& core, const Snapshot& snapshot);

struct Introducer {
  SnapshotPtr snapshot;
  const Item* item = nullptr;  // of the snapshot
};
// Makes the result of the request; the text may be empty. Called once at most, on any thread.
using MakeResult = std::function<std::string(std::string_view instructions)>;

// Asks the service and answers `message` through the channel's sink.
void introduce(Core& core, const Message& message, const Context& context, Channel& channel,
               Introducer from, MakeResult make);

}  // namespace gantry::host::rpc
