// tools/gantry/import/special.hpp: objects that stand for one value. Pure functions; any thread.
//
// Parse's {"__type":…} Date, Pointer, Bytes and Relation, and Extended JSON's {"$date":…},
// {"$oid":…}, {"$binary":…}, {"$numberInt|Long|Double|Decimal":…}. Files, points and polygons stay
// the objects they are.
#pragma once

#include "tools/gantry/import/cell.hpp"

namespace gantry::cli::importing {

// Changes a nested cell into what it stands for; leaves it alone where it stands for nothing else.
void read_special(Cell& cell);

}  // namespace gantry::cli::importing
