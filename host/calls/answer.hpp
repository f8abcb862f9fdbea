// host/calls/answer.hpp (private): errors as answers. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "host/calls/call.hpp"

namespace gantry::host {

// The answer of a call of an item that failed.
ItemAnswer error_answer(const gantry_call& call, Output::Failure failure);

// The error for a negative status if the plugin wrote none: a code, and a sentence about the
// `noun`.
Output::Failure failure_of(gantry_status status, std::string_view noun = "tool");

}  // namespace gantry::host
