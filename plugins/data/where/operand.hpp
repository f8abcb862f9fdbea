// where/operand.hpp: a caller's literal as a value of the column it is compared with.
#pragma once

#include <string_view>

#include "values/value.hpp"
#include "where/node.hpp"

namespace gantry::data::where {

// "a string", "a number", "an array", … for messages: what a literal is, never its content.
std::string_view described(const Json& json);

// Whether an object whose name begins with '$' is a value: {"$date": …}, {"$numberDouble": "NaN"}.
bool is_literal(const Json& object);

// `json` as a value of `column`: ISO text becomes a date, an id its key, base64 bytes. null stays
// null, a composite id text. One value, but for ids, which several stored values may show as.
// Refuses a literal that the column cannot hold, naming `op` and what the column accepts.
std::vector<View> to_operands(const Json& json, const Column& column, std::string_view op,
                              const Scope& scope, Source& source);

// Every stored value that shows as the id `id`, a string or a number; none when the column cannot
// hold it.
std::vector<View> ids_of(const Value& id, const Column& column, Source& source);

}  // namespace gantry::data::where
