// plan/field_check.hpp: checks that the fields which a pipeline reads exist.
//
// In a class with columns a root field must be a field of the class or made by an earlier stage.
// Any other name is refused, because MongoDB's silent result would hide the mistake. Sub-pipelines
// are checked against their own classes. After stages that can produce any fields ($replaceRoot,
// $documents) every name is allowed. Internal names are refused everywhere.
#pragma once

#include "pipeline/stage.hpp"
#include "plan/context.hpp"

namespace gantry::data {

// `stages` is the pipeline as written, `parsed` the result of parse_pipeline(); `cls` is null if it
// begins with $documents. Throws QueryError: invalid_query with the nearest field names, or
// access_denied.
void check_fields(const Value& stages, const pipeline::Stages& parsed, const ClassView* cls,
                  const Scope& scope);

}  // namespace gantry::data
