// rows/document_id.hpp: the objectId of a document: the text of its _id.
//
// A string is used as it is, numbers as in JSON, dates as ISO texts, {"$oid": …} as its digits,
// bytes as 0x and lower-case hex, everything else as its Extended JSON. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data {

std::string document_id_text(const Value& id);

}  // namespace gantry::data
