// policy/redaction.hpp: pointers to hidden classes in JSON that the engine did not make: answers of
// other plugins.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/class_filter.hpp"

namespace gantry::data {

// The text with each Parse pointer to a class that is_visible_class() denies (`classes` null: all
// that are not hidden are allowed) replaced by {"className":…,"__redacted":true}, at any depth,
// also in strings that hold JSON. Internal names stay: in such an answer they are the author's.
// Empty: nothing changes. Throws QueryError if `json` is no JSON value, or nests deeper than 400
// levels. Pure; any thread.
std::optional<std::string> redacted_answer(std::string_view json, const ClassFilter* classes);

}  // namespace gantry::data
