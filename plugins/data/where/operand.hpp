// where/operand.hpp: converts a caller's literal to the type of the column it is compared with.
#pragma once

#include <string_view>

#include "values/value.hpp"
#include "where/node.hpp"

namespace gantry::data::where {

// The type of a literal, for messages, never its content: "a string", "a number", "an array", …
std::string_view described(const Json& json);

// Whether an object whose first name begins with '$' is a literal: {"$date": …}, {"$numberDouble":
// "NaN"}.
bool is_literal(const Json& object);

// Converts `json` for `column`: ISO text becomes a date, an id its key, base64 bytes. null stays
// null, a composite id stays text. The result is one value, except for an id, which several stored
// values may have. Refuses a literal that the column cannot hold, naming `op` and the accepted
// types.
std::vector<View> to_operands(const Json& json, const Column& column, std::string_view op,
                              const Scope& scope, Source& source);

// Every stored value whose id is `id`, a string or a number; none if the column cannot hold one.
std::vector<View> ids_of(const Value& id, const Column& column, Source& source);

}  // namespace gantry::data::where
