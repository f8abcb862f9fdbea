// host/calls/approval_check.hpp (private): keeps calls that need a person's approval from running
// without it.
//
// A client's call has it by its pass. A call inside a call shares that of its client's call for
// what the agent's tiers ask for; a tool that the agent's list names must be called by the client
// itself. Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include <rapidjson/fwd.h>

#include <gantry/status.hpp>

#include "host/calls/call.hpp"

namespace gantry::host {

// The answer approval_required, unless the call needs none or its pass covers it. `fitting`: the
// arguments that it would run with; empty: its own.
std::optional<ItemAnswer> unapproved(const ItemCall& request, std::string_view fitting);

// GANTRY_DENIED: a tool or method that runs inside the client's call `root` needs an approval that
// `root` has not.
Status unapproved_inside(const gantry_call& root, const Agent& agent, const Item& item,
                         const rapidjson::Value& arguments);

// The tier up to which the call may write now: the property "writes_up_to". It is below the agent's
// where a person must approve a tier and did not approve the client's call; a preview may write
// nothing that needs an approval. Inside a method it is at most the tier of the method.
Tier writes_up_to(const gantry_call& call);

// The tier up to which the call may show a change and take it back: the property "previews_up_to".
// It asks for no approval, since a person approves what was shown.
Tier previews_up_to(const gantry_call& call);

}  // namespace gantry::host
