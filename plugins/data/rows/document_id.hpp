// rows/document_id.hpp: objectId of objects that are documents: the text of their _id.
//
// Text is what it is, numbers as JSON writes them, dates as ISO texts, {"$oid": …} its digits,
// bytes as 0x and lower-case hex; everything else as its Extended JSON. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data {

std::string document_id_text(const Value& id);

}  // namespace gantry::data
