// host/calls/guarded.hpp (private): the check that all functions of the service tables make first.
#pragma once

#include "host/calls/call.hpp"

namespace gantry::host {

// The use that a plugin makes of this call now.
inline contract::CallUse use_of(const gantry_call* call) {
  if (call == nullptr || !call->state.is_inside()) return {};
  return {call->root->client.tree, call};
}

// Runs `body` if the call can be written to. GANTRY_FAILED: out of memory.
template <class Body>
gantry_status guarded(const gantry_call* call, Body body) noexcept {
  return use_of(call).run(std::move(body));
}

}  // namespace gantry::host
