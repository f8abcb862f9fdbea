// pipeline/sort_key.hpp: sort keys of documents, shared by $sort, $top and $bottom.
#pragma once

#include "expr/sort_order.hpp"

namespace gantry::data::pipeline {

using expr::SortKey;
using expr::SortOrder;

}  // namespace gantry::data::pipeline
