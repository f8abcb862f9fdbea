// host/calls/nested_target.hpp (private): decides what a plugin's call inside a call enters.
//
// Pure functions over the caller's snapshot; any thread that may use `parent`.
#pragma once

#include <string>

#include <gantry/abi/abi.h>
#include <gantry/status.hpp>

#include "host/calls/call.hpp"

namespace gantry::host {

struct NestedTarget {
  AgentPtr agent;
  const Item* item = nullptr;
  // Not empty: the answer of a method that has no preview of its own and is not entered.
  std::string preview;
  // Set by a refusal: the error code if it differs from that of the status, and details, which are
  // JSON or empty.
  std::string error_code, details;
};

// Finds the item and checks gates, tier, lists, arguments and approval. On a failure `out` says
// more about it.
Status find_nested(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                   NestedTarget& out);

}  // namespace gantry::host
