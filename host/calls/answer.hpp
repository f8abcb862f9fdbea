// host/calls/answer.hpp (private): makes the ItemAnswer of a refused or ended call.
#pragma once

#include "host/calls/call.hpp"

namespace gantry::host {

ItemAnswer error_answer(const gantry_call& call, Output::Failure failure);

}  // namespace gantry::host
