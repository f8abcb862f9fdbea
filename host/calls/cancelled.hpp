// host/calls/cancelled.hpp: the answer of a cancelled call.
//
// Pure; any thread.
#pragma once

#include "host/calls/calls.hpp"

namespace gantry::host {

// The error `cancelled` with the sentence that names the reason.
ItemAnswer cancelled_answer(CancelReason reason);

}  // namespace gantry::host
