// ops/plan_column.hpp: resolves a path of a pipeline's documents to a column.
//
// Resolves as rows/value_reader.hpp does when it makes the documents. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"

namespace gantry::data {

struct PlanColumn {
  // How SQL sees the values at the path: the column's own values, 0 and 1 as booleans, instants, or
  // ids as strings. `other`: only the engine can read them.
  enum class Form { plain, boolean, date, id, other };

  std::string root;  // the path's first part
  Form form = Form::other;
  Field field;                // `column` is the SQL expression
  bool always_there = false;  // objectId: a string even if the column is NULL
};

// Empty: the path is not read from exactly one column.
std::optional<PlanColumn> plan_column(std::string_view path, const ClassInfo& cls,
                                      const Scope& scope);

}  // namespace gantry::data
