// plan/typing/allowed_values.hpp: literals beside a field whose values are all known.
//
// The values are those of a CHECK constraint or of the model's "enum", which get_schema shows.
#pragma once

#include <string>
#include <string_view>

#include "plan/typing/warnings.hpp"
#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data::typing {

// Adds a warning if `literal` is a text or a number that the field cannot have, and returns true.
// `field`: its name in the class; `name`: as the caller wrote it. A field that the class does not
// have, or whose values are not known, has any.
bool warn_of_value(const ClassView& cls, std::string_view field, std::string_view name,
                   const Value& literal, Warnings& warnings);

}  // namespace gantry::data::typing
