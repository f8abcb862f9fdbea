// plan/plan_column.hpp: resolves a path of a pipeline's documents to a column.
//
// Resolves as rows/value_reader.hpp does when it makes the documents. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "filter/columns/column.hpp"

namespace gantry::data {

// Empty: the path is not read from exactly one column.
std::optional<columns::Column> plan_column(std::string_view path, const ClassView& cls);

// The column, as SQL, whose plain values the pipeline reads at `path`, so that an index can find
// rows with one of many values (sql/key_values.hpp). Empty: there is none; JSON, dates, booleans,
// composite ids, unknown names.
std::string lookup_column(const ClassView& cls, std::string_view path);

}  // namespace gantry::data
