// host/rpc/items/rate_limit.hpp (private): the rate limit of an agent's calls.
//
// Any thread. Throws only std::bad_alloc.
#pragma once

#include <optional>

#include "host/rpc/items/request_parts.hpp"

namespace gantry::host::rpc {

struct Core;

// Spends one call of the profile and its user, or its principal. The answer of a call that comes
// too often, recorded; nothing: it may begin. Only tools/call is limited, and calls nested in it
// cost nothing.
std::optional<Answer> rate_limited(Core& core, const ItemRequestParts& parts);

}  // namespace gantry::host::rpc
