// pipeline/sort_key.hpp: what documents are ordered by; $top and $bottom order by the same.
#pragma once

#include "expr/sort_order.hpp"

namespace gantry::data::pipeline {

using expr::SortKey;
using expr::SortOrder;

}  // namespace gantry::data::pipeline
