// host/config/gates.hpp: the operator's gates for writes, variables of the server's environment.
//
// Without them nothing that changes data is listed or run, whatever an agent's tier. The words of
// manifests for them are in sdk/contract/gates.hpp. Any thread.
#pragma once

#include <string>

#include "sdk/contract/gates.hpp"

namespace gantry::host {

using contract::GateSet;

// The gates that this process's environment opens: 1, true, yes and on, in any case, open one.
// Read once, when the server starts.
GateSet gates_of_environment();

// "none", or the variables of the open gates with blanks between: for people.
std::string gate_names(GateSet open);

}  // namespace gantry::host
