// plan/typing/results.hpp: the types of the results of expression operators.
#pragma once

#include <string_view>

#include "plan/typing/type.hpp"

namespace gantry::data::typing {

// The type of an operator's result, if it is the same for all operands; else any.
Type::Kind result_of(std::string_view name);

}  // namespace gantry::data::typing
