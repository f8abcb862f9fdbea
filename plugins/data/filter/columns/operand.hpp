// filter/columns/operand.hpp: converts a caller's literal to the type of the column it is compared
// with.
#pragma once

#include <string_view>

#include "filter/columns/column.hpp"
#include "view/scope.hpp"

namespace gantry::data::columns {

// The type of a literal, for messages, never its content: "a string", "a number", "an array", …
std::string_view described(const Value& value);

// Converts `value` for `column`: ISO text becomes a date, an id its key. null stays null, a
// composite id stays text. The result is one value, except for an id, which several stored values
// may have. Refuses a literal that the column cannot hold, naming `op` and the accepted types.
Array to_operands(const Value& value, const Column& column, std::string_view op,
                  const Scope& scope);

// Every stored value whose id is `id`, a string or a number; none if the column cannot hold one.
Array ids_of(const Value& id, const Column& column);

}  // namespace gantry::data::columns
