// host/worker/writes.hpp: a worker's writes to the answer of a call, repeated in the host.
//
// Any thread, one at a time for a call.
#pragma once

#include <gantry/abi/abi.h>

#include "host/worker/wire.hpp"

namespace gantry::host::worker {

// Makes one write after the other through the contract's table, to the end of `writes`. Returns the
// status of the last one; false in `well_formed` when the bytes are no writes.
gantry_status repeat_writes(const gantry_call_api& api, gantry_call* call, BodyReader& writes,
                            bool& well_formed);

}  // namespace gantry::host::worker
