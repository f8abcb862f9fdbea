// edge/answer.hpp: the caller that a call is run for, and the end of a call with an engine error.
//
// Runs on the threads of the call.
#pragma once

#include <cstddef>
#include <string>

#include <gantry/call.hpp>

#include "errors/error.hpp"
#include "ops/service.hpp"

namespace gantry::data {

// The limit of the whole answer, in bytes.
std::size_t cap_of(const CallView& call);

// The time until shortly before the call's deadline, and its cancellation; `call` must outlive it.
Budget budget_of(const CallView& call);

// The budget, the limit, and the classes that the call's agent may see; `call` must outlive it. An
// agent that cannot be read ends the call with internal_error.
Result<Caller> caller_of(Service& service, const CallView& call);

// Gives the host a Reply's or an error's note for its audit record; nothing for an empty one.
void note_for_audit(const CallView& call, const std::string& note);

// Gives the host the reply's note and its parts, with `meta` as the last one.
Status give(const CallView& call, const Reply& reply, const std::string& meta);

// Ends the call with the error. Details that callers may not see go to the host's log.
Status fail(const CallView& call, const DataError& error);

}  // namespace gantry::data
