// tools/tools.hpp: the family's tools, one function and one file each.
#pragma once

#include <gantry/data.hpp>

namespace sql {

void query_sql(const gantry::Data& data, gantry::Call& call);

}  // namespace sql
