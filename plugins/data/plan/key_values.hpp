// plan/key_values.hpp: SQL that uses an index to find rows with one of many values.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "values/fragment.hpp"
#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// A condition that holds for every row whose field at `path`, as pipelines see it, equals one of
// `values`; it may hold for other rows too. Empty if SQL cannot express it: JSON, dates, booleans,
// composite ids, unknown names.
std::optional<Fragment> index_lookup_condition(const ClassView& cls, std::string_view path,
                                               const Array& values);

// Appends " IN (?,…)". Padded to a power of two: few different SQL texts, which the statement cache
// can reuse. At least one value.
void add_list(const std::vector<Bind>& values, Fragment& sql);

}  // namespace gantry::data
