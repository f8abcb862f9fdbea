// edge/answer.hpp: what a call may spend, and how the engine's errors end it.
//
// Threads: those of the call.
#pragma once

#include <cstddef>

#include <gantry/call.hpp>

#include "policy/error.hpp"
#include "values/budget.hpp"

namespace gantry::data {

// Until a little before the call's deadline; `call` outlives it.
Budget budget_of(const CallView& call);

// The cap on the whole answer, in bytes.
std::size_t cap_of(const CallView& call);

// Ends the call with the error; what nobody outside should read goes to the host's log.
Status fail(const CallView& call, const DataError& error);

}  // namespace gantry::data
