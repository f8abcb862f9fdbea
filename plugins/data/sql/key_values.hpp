// sql/key_values.hpp: SQL that uses an index to find rows with one of many values.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <vector>

#include "values/fragment.hpp"
#include "values/value.hpp"
#include "view/field_form.hpp"

namespace gantry::data {

// True for every row whose value, as `form` makes it, equals one of `values`; it may be true for
// other rows too. Null is NULL. Empty if SQL cannot express it: for JSON, dates and booleans.
std::optional<Fragment> stored_as_one_of(const Field& field, const FieldForm& form,
                                         const Array& values);

// Appends " IN (?,…)". Padded to a power of two: few different SQL texts, which the statement cache
// can reuse. At least one value.
void add_list(const std::vector<Bind>& values, Fragment& sql);

}  // namespace gantry::data
