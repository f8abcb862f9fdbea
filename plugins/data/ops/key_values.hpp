// ops/key_values.hpp: SQL that uses an index to find rows with one of many values.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/fragment.hpp"
#include "values/value.hpp"

namespace gantry::data {

// A condition that holds for every row whose field at `path`, as pipelines see it, equals one of
// `values`; it may hold for other rows too. Empty if SQL cannot express it: JSON, dates, booleans,
// composite ids, unknown names.
std::optional<Fragment> index_lookup_condition(const ClassInfo& cls, const Scope& scope,
                                               std::string_view path, const Array& values);

}  // namespace gantry::data
