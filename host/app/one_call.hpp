// host/app/one_call.hpp: a call that the host itself makes and waits for.
//
// Blocks for the time of the call. Any thread but those of calls.
#pragma once

#include <chrono>
#include <optional>

#include "host/calls/calls.hpp"

namespace gantry::host {

// The answer; nothing: there was none within `patience`, which the call gets as its time.
std::optional<ItemAnswer> answer_of(Calls& calls, ItemCall call, std::chrono::seconds patience);

}  // namespace gantry::host
