// host/rpc/message/correlation.hpp: the correlation id of a request, for logs and the audit record.
#pragma once

#include <string_view>

#include "host/rpc/message/context.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

// The one that the credential binds, which the caller cannot change. Else the first that exists and
// is 1 to 128 of [A-Za-z0-9._-]: the header X-MCP-Session-Id, the legacy session's id,
// _meta["gantry/correlationId"], the trace id of `traceparent`; else empty. Borrowed from message
// and context.
std::string_view correlation_id(const Message& message, const Context& context);

}  // namespace gantry::host::rpc
