// write/json_cell.hpp: a JSON value as the cell that it gives. Pure functions; any thread.
#pragma once

#include <rapidjson/fwd.h>

#include "write/cell.hpp"

namespace gantry::data::write {

// Objects that encode one value become that value, see special.hpp.
Cell cell_of(const rapidjson::Value& json);

// The value's text; whole numbers and doubles keep their kind.
std::string json_text_of(const rapidjson::Value& json);

}  // namespace gantry::data::write
