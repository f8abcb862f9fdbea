// write/json_cell.hpp: a JSON value as the cell that it gives. Pure functions; any thread.
#pragma once

#include <rapidjson/fwd.h>

#include "write/cell.hpp"

namespace gantry::data::write {

// Parse's and Extended JSON's objects that encode one value become that value, as does the form in
// which answers show bytes: {"$base64":…}.
Cell cell_of(const rapidjson::Value& json);

// The value's text; whole numbers and doubles keep their kind.
std::string json_text_of(const rapidjson::Value& json);

}  // namespace gantry::data::write
