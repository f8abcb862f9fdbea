// plan/typing/parse_form.hpp: documents of a pipeline in the row form `parse`.
#pragma once

#include "plan/typing/type.hpp"

namespace gantry::data::typing {

// Pointers become {"__type":"Pointer",…}. A row of a class begins with its objectId, as text, and
// createdAt and updatedAt as ISO texts. Values of unknown types are unchanged. Counts steps of the
// thread's query.
Value in_parse_form(const Value& value, const Type& type);

// The text of a key; numbers as in JSON. Null and missing are unchanged.
Value id_text_of(const Value& key);

}  // namespace gantry::data::typing
