// plan/plan_column.hpp: resolves a path of a pipeline's documents to a column.
//
// Resolves as rows/value_reader.hpp does when it makes the documents. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "view/class_view.hpp"

namespace gantry::data {

struct PlanColumn {
  // What pipelines see at the path: the column's values, or its ids as strings. Empty: SQL cannot
  // read them.
  std::optional<FieldForm> form;
  FieldForm root;                    // what they see at the path's first part
  std::optional<std::string> below;  // the rest of the path
  Field field;                       // `column` is the SQL expression
  bool always_there = false;         // objectId: a string even if the column is NULL

  bool is(FieldForm::Type type) const { return form && form->is(type); }
};

// Empty: the path is not read from exactly one column.
std::optional<PlanColumn> plan_column(std::string_view path, const ClassView& cls);

}  // namespace gantry::data
