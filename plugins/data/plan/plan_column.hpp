// plan/plan_column.hpp: resolves a path of a pipeline's documents to a column.
//
// Resolves as rows/value_reader.hpp does when it makes the documents. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "filter/columns/column.hpp"
#include "values/fragment.hpp"

namespace gantry::data {

// Empty: the path is not read from exactly one column.
std::optional<columns::Column> plan_column(std::string_view path, const ClassView& cls);

// A condition that holds for every row whose field at `path`, as pipelines see it, equals one of
// `values`; it may hold for other rows too. Empty if SQL cannot express it with an index: JSON,
// dates, booleans, composite ids, unknown names.
std::optional<Fragment> index_lookup_condition(const ClassView& cls, std::string_view path,
                                               const Array& values);

}  // namespace gantry::data
