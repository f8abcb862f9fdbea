// tools/tools.hpp: the family's tools, one function and one file each.
#pragma once

#include <gantry/data.hpp>

namespace exporting {

void export_data(const gantry::Data& data, gantry::Call& call);

}  // namespace exporting
