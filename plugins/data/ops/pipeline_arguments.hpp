// ops/pipeline_arguments.hpp: the common arguments of operations over a pipeline. Throws
// QueryError.
#pragma once

#include "ops/request.hpp"
#include "values/value.hpp"

namespace gantry::data {

// The argument `pipeline`, an array.
Value requested_stages(const Request& request);

// The class of the argument `class_name`; null if the stages begin with $documents, which allows
// none.
const ClassView* class_of_stages(const Request& request, const Value& stages);

}  // namespace gantry::data
