// host/rpc/rounds/abilities.hpp: reads the capabilities that a client declared.
//
// Pure functions; any thread.
#pragma once

#include <string>

#include "host/calls/calls.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

// The capabilities that count for this request. Modern: those that the request itself declares.
// Legacy: those declared by initialize, if the revision has them and the sink can send requests.
ClientCan abilities_of(const Message& message, const Context& context);

// The part of initialize's params.capabilities that abilities_of() reads, as JSON text.
std::string declared_capabilities(const Message& initialize);

}  // namespace gantry::host::rpc
