// ops/key_values.hpp: which rows may hold one of many values, as SQL that an index can serve.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/fragment.hpp"
#include "values/value.hpp"

namespace gantry::data {

// A condition that every row satisfies whose field at `path`, as pipelines see it, equals one of
// `values`; others may satisfy it too. Empty when SQL cannot say: JSON, dates, booleans, composite
// ids, names that are no field.
std::optional<Fragment> key_condition(const ClassInfo& cls, const Scope& scope,
                                      std::string_view path, const Array& values);

}  // namespace gantry::data
