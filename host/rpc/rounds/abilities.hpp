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

// Modern: what this very request declares. Legacy: what initialize declared, as far as the
// revision has it and the way back can carry requests.
ClientCan abilities_of(const Message& message, const Context& context);

// The part of initialize's params.capabilities that abilities_of() reads, as JSON text.
std::string declared_capabilities(const Message& initialize);

}  // namespace gantry::host::rpc
