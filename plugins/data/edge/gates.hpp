// edge/gates.hpp: the operator's gates for writing, as the environment of the process has them.
#pragma once

#include "store/editor.hpp"

namespace gantry::data {

// GANTRY_ALLOW_WRITE_TOOLS opens rows, GANTRY_ALLOW_SCHEMA_OPS the schema: 1, true, yes or on.
EditRights open_gates();

}  // namespace gantry::data
