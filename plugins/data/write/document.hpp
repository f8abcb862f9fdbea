// write/document.hpp: an object as a document class stores it. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "write/names.hpp"

namespace gantry::data::write {

// Relaxed Extended JSON with an _id in front where there is none: objectId or else a new one.
// Parse's dates and bytes become {"$date":…} and {"$binary":…}; {"$oid":…} stays what it is.
// GANTRY_INVALID_ARGUMENT: not an object, or one that nests too deeply; _id is null; a date finer
// than milliseconds.
Result<std::string> document_of(std::string_view json, IdMaker& ids);

// One value as documents store it, by the same rules.
Result<std::string> stored_value_of(std::string_view json);

}  // namespace gantry::data::write
