// host/app/one_call.hpp: a call that the host itself makes and waits for.
//
// Blocks for the time of the call. Any thread but those of calls.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "host/calls/calls.hpp"

namespace gantry::host {

// The party of calls for operators.
inline constexpr std::string_view kOperatorsParty = "operator";
// An agent to which no rule applies: its calls are for operators.
AgentPtr operators_agent();

// The template by which a plugin offers its classes, and the service that tells operators of them.
inline constexpr std::string_view kClassResource = "data://{class}/schema";
inline constexpr std::string_view kAccessService = "gantry.access/1";

// A call of the item as this agent, without arguments. `party` names its group of calls. It
// borrows item and party.
ItemCall own_call(const SnapshotPtr& snapshot, const Item& item, const AgentPtr& agent,
                  std::string_view party);

// The answer; nothing: there was none within `patience`, which the call gets as its time.
std::optional<ItemAnswer> answer_of(Calls& calls, ItemCall call,
                                    std::chrono::seconds patience = std::chrono::seconds(10));

// What kAccessService answers this agent. `arguments`: JSON. GANTRY_NOT_FOUND: no plugin offers it;
// GANTRY_TIMED_OUT: it did not answer in time.
Result<ItemAnswer> ask_access(const SnapshotPtr& snapshot, Calls& calls, const AgentPtr& agent,
                              std::string_view party, std::string_view arguments);

}  // namespace gantry::host
