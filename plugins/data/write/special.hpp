// write/special.hpp: objects that encode one value. Pure functions; any thread.
//
// Parse's {"__type":…} Date, Pointer, Bytes and Relation, Extended JSON's {"$date":…}, {"$oid":…},
// {"$binary":…}, {"$numberInt|Long|Double|Decimal":…}, and {"$base64":…}, as answers show bytes.
// Files, points and polygons stay the objects they are.
#pragma once

#include "write/cell.hpp"

namespace gantry::data::write {

// Replaces a nested cell by the value that it encodes; leaves other cells unchanged.
void read_special(Cell& cell);

}  // namespace gantry::data::write
