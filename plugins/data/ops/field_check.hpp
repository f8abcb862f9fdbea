// ops/field_check.hpp: whether the fields that a pipeline reads exist.
//
// In a class with columns a root field must be the class's own or made by an earlier stage; what is
// neither is a mistake, and an answer without it would hide that. Sub-pipelines are checked against
// their own classes. Behind stages that make documents out of anything ($replaceRoot, $documents)
// every name may be right. Names on the floor of internal columns are refused everywhere.
#pragma once

#include "ops/request.hpp"
#include "pipeline/stage.hpp"

namespace gantry::data {

// `stages` is the pipeline as written, `parsed` what parse_pipeline() made of it under `reading`;
// `cls` is null when it begins with $documents. Throws QueryError: invalid_query with the nearest
// fields, or access_denied.
void check_fields(const Value& stages, const pipeline::Stages& parsed, const ClassInfo* cls,
                  const Scope& scope, const pipeline::Reading& reading);

}  // namespace gantry::data
