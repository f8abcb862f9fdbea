// pipeline/buckets.hpp: what $bucket and $bucketAuto share.
#pragma once

#include <string_view>

#include "pipeline/group_table.hpp"

namespace gantry::data::pipeline {

// Refuses a 'groupBy' that is neither a field nor an expression.
void check_group_by(std::string_view stage, const Value& by);

// 'output'; where it is missing, how many documents there are, as "count".
Outputs read_outputs(std::string_view stage, const Value& output, Reading& reading);

}  // namespace gantry::data::pipeline
