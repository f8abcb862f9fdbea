// host/calls/promise.hpp: checks a result against the item's output schema and its kind's form.
#pragma once

#include <string>

struct gantry_call;

namespace gantry::host {

// What is wrong with the result of a finished call of any kind but "service", for the log; empty
// when nothing is. The caller, a client or a plugin, only hears of an internal error.
std::string broken_promise(gantry_call& call);

}  // namespace gantry::host
