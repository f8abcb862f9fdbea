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

// Values of _id that have this text, or may have it: for looking them up. The text itself first.
Array document_ids_of(std::string_view text);

}  // namespace gantry::data
