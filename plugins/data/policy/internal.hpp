// policy/internal.hpp: removes internal names and ids from values: stored JSON and documents.
//
// A member that is_internal_field() names is invisible to every caller, at any depth. A Parse
// pointer to a class that is_hidden_class() names, or that `classes` does not allow (null: allows
// all), becomes {"className":…,"__redacted":true}, as it does in a column. Pure functions; any
// thread. Large values count steps of the thread's query (values/spending.hpp).
#pragma once

#include <rapidjson/fwd.h>

#include <optional>
#include <string>
#include <string_view>

#include "catalog/floor.hpp"
#include "policy/class_filter.hpp"
#include "values/value.hpp"

namespace gantry::data {

// Whether one of the names of a dotted path is internal.
bool names_internal(std::string_view path);

// {"className":…,"__redacted":true}; as text from the class's name as a JSON string.
Value redacted_pointer(std::string_view class_name);
std::string redacted_json(std::string_view quoted_class_name);

void drop_internal(Value& value, const ClassFilter* classes);
// Of any depth: does not recurse.
void drop_internal(rapidjson::Value& json, const ClassFilter* classes);

// The same for JSON text; the rest of the text is unchanged. Text that is not JSON loses what would
// be removed if it were: stored JSON may be cut off, or have what other parsers take (a lone
// surrogate, bytes that are not UTF-8, 1e999, a NUL). Text that nests deeper than kMostStoredLevels
// becomes empty if it may hold a pointer. Empty optional: nothing is to be removed.
std::optional<std::string> without_internal(std::string_view json, const ClassFilter* classes);
// The same for any stored text or bytes: one that does not begin as JSON stays as it is; one that
// is not JSON becomes empty if it names an internal member without double quotes.
std::optional<std::string> shown_text(std::string_view text, const ClassFilter* classes);
// Whether a value of a JSON column that is not JSON may hold something of that: it is not shown.
bool may_hold_hidden(std::string_view bytes, const ClassFilter* classes);
// Of those removals only the redaction of pointers.
std::optional<std::string> with_redacted_pointers(std::string_view json,
                                                  const ClassFilter* classes);

}  // namespace gantry::data
