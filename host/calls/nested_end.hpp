// host/calls/nested_end.hpp (private): the end of a nested call: its answer to the plugin that made
// it, and to the client's listener where a sub-agent called a tool (calls.hpp, SubAgentCall).
//
// Any thread. They run the code of the plugin that takes the answer.
#pragma once

#include <string_view>

#include "host/calls/call.hpp"

namespace gantry::host {

// Passes a finished call's answer to its caller. Returns the status that the caller gets.
gantry_status deliver(gantry_call& child, gantry_status status, gantry_answer answer);

// Tells the listener of a tool that a narrowed agent may not call; nothing for other agents.
void report_refused(gantry_call& parent, const Agent& agent, const Item& item,
                    std::string_view arguments, std::string_view code);

}  // namespace gantry::host
