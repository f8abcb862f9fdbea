// edge/answer.hpp: the budget and the answer limit of a call, and its end with an engine error.
//
// Runs on the threads of the call.
#pragma once

#include <cstddef>

#include <gantry/call.hpp>

#include "policy/class_filter.hpp"
#include "policy/error.hpp"
#include "values/budget.hpp"

namespace gantry::data {

// The time ends shortly before the call's deadline; `call` must outlive the budget.
Budget budget_of(const CallView& call);

// The limit of the whole answer, in bytes.
std::size_t cap_of(const CallView& call);

// The classes that the call's agent may see. An agent that cannot be read ends the call with
// internal_error.
Result<ClassFilterPtr> classes_of(const CallView& call);

// Ends the call with the error. Details that callers may not see go to the host's log.
Status fail(const CallView& call, const DataError& error);

}  // namespace gantry::data
