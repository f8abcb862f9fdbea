// host/calls/error_answer.hpp: errors that answer a call in place of its item.
//
// Pure; any thread.
#pragma once

#include "host/calls/calls.hpp"

namespace gantry::host {

// The error `cancelled` with the sentence that names the reason.
ItemAnswer cancelled_answer(CancelReason reason);

// True if the error may also be sent as structured content (calls.hpp, error_fits_schema).
// `output`: the item's output schema; null: it has none, and any error fits.
bool error_fits(const schema::Validator* output, const ItemAnswer& error);

}  // namespace gantry::host
