// tools/tools.hpp: the family's tools, one function and one file each.
#pragma once

#include <gantry/data.hpp>

namespace schema_tools {

void get_all_schemas(const gantry::Data& data, gantry::Call& call);
void get_schema(const gantry::Data& data, gantry::Call& call);

}  // namespace schema_tools
