// host/rpc/results/tool_result.hpp: the response message for a finished tool call.
//
// The only place where tool results differ by era and revision. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "host/calls/calls.hpp"
#include "host/rpc/message/context.hpp"

namespace gantry::host::rpc {

// The JSON form of a tool's failure: {"error_code","error","cancelled"?,"details"?}.
std::string error_object(const ItemAnswer& answer);

// `id` is JSON text; `modern_meta` the `,"_meta":{…}` of modern results.
Answer tool_result(ItemAnswer&& answer, std::string_view id, std::string_view tool,
                   std::string_view revision, std::string_view modern_meta);

}  // namespace gantry::host::rpc
