// pipeline/buckets.hpp: functions shared by $bucket and $bucketAuto.
#pragma once

#include <string_view>

#include "pipeline/group_table.hpp"

namespace gantry::data::pipeline {

// Refuses a 'groupBy' that is neither a field nor an expression.
void check_group_by(std::string_view stage, const Value& by);

// Parses 'output'; the default is the number of documents, as "count".
Outputs read_outputs(std::string_view stage, const Value& output, Reading& reading);

}  // namespace gantry::data::pipeline
