// host/calls/promise.hpp: whether a tool's result is what the tool promised.
#pragma once

#include <string>

struct gantry_call;

namespace gantry::host {

// What is wrong with the result of a finished tool call, for the log; empty when nothing is. The
// caller, a client or a plugin, only hears of an internal error.
std::string broken_promise(gantry_call& call);

}  // namespace gantry::host
