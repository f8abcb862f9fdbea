// host/calls/guarded.hpp (private): checks that all functions of the service tables make first.
#pragma once

#include "host/calls/call.hpp"

namespace gantry::host {

// GANTRY_OK if a plugin may write to this call now.
inline gantry_status writable(const gantry_call* call) {
  if (call == nullptr) return GANTRY_MISUSE;
  const auto phase = call->phase.load(std::memory_order_acquire);
  if (phase == gantry_call::Phase::free || phase == gantry_call::Phase::ended) {
    return GANTRY_MISUSE;
  }
  return call->root->client.tree.is_cancelled() ? GANTRY_CANCELLED : GANTRY_OK;
}

// Runs `body` if the call can be written to. GANTRY_FAILED: out of memory.
template <class Body>
gantry_status guarded(gantry_call* call, Body body) noexcept {
  if (const gantry_status s = writable(call); s < 0) return s;
  try {
    return body();
  } catch (...) {
    return GANTRY_FAILED;
  }
}

}  // namespace gantry::host
