// tools/tools.hpp: the family's tools, one function and one file each.
#pragma once

#include <gantry/data.hpp>
#include <gantry/services.hpp>

namespace schema_tools {

void get_all_schemas(const gantry::Data& data, gantry::Call& call);
void get_schema(const gantry::Data& data, const gantry::Catalog& catalog, gantry::Call& call);

}  // namespace schema_tools
