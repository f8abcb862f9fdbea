// ops/pipeline_arguments.hpp: the common arguments of operations over a pipeline. Throws
// QueryError.
#pragma once

#include "ops/request.hpp"
#include "plan/read.hpp"

namespace gantry::data {

// The argument `pipeline`, an array.
Value requested_stages(const Request& request);

// A pipeline over the class of the argument `class_name`; over none if the stages begin with
// $documents, which allows no class. `stages` are the requested ones, and may have more behind
// them.
Read pipeline_read(const Request& request, const Value& stages);

}  // namespace gantry::data
