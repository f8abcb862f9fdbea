// host/calls/promise.hpp: checks a result against the item's output schema and its kind's form.
#pragma once

#include <string>

struct gantry_call;

namespace gantry::host {

// A sentence for the log about the first fault in the result of a finished call; empty if it has
// none. For every kind except "service". The caller, a client or a plugin, gets only an internal
// error. The calling thread is alone with the call. Throws std::bad_alloc.
std::string broken_promise(gantry_call& call);

}  // namespace gantry::host
