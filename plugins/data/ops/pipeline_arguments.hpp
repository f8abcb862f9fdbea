// ops/pipeline_arguments.hpp: the arguments that every operation over a pipeline takes. Throws
// QueryError.
#pragma once

#include "ops/request.hpp"
#include "values/value.hpp"

namespace gantry::data {

// The argument `pipeline`, an array.
Value requested_stages(const Request& request);

// The class of the argument `class_name`; null for stages that begin with $documents, which takes
// none.
const ClassInfo* class_of_stages(const Request& request, const Value& stages);

}  // namespace gantry::data
