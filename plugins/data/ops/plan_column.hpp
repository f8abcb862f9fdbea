// ops/plan_column.hpp: the column that a path of a pipeline's documents is read from.
//
// The same resolution as rows/value_reader.hpp, which makes the documents. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"

namespace gantry::data {

struct PlanColumn {
  // What the values at the path are, where SQL can know: a column's own values, 0 and 1 as
  // booleans, instants, or ids as strings. `other` is everything that only the engine can read.
  enum class Form { plain, boolean, date, id, other };

  std::string root;  // of the path
  Form form = Form::other;
  Field field;                // `column` is what stands in SQL
  bool always_there = false;  // objectId: a string even where the column is NULL
};

// Empty: no column, or several.
std::optional<PlanColumn> plan_column(std::string_view path, const ClassInfo& cls,
                                      const Scope& scope);

}  // namespace gantry::data
