#include "statement/composed.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "statement/class_query.hpp"

namespace gantry::data {
namespace {

bool is_numbered(const std::string& parameter) { return parameter.starts_with('?'); }

// Fenced by AS MATERIALIZED, where rows are hidden and evaluation may tell of them.
bool must_fence(const StatementShape& shape, const StatementShape::UsedClass& used,
                const ClassView& cls) {
  return !cls.boundary.empty() && (shape.can_fail || has_made_column(cls, used.fields));
}

std::string column_list(const std::vector<std::string>& columns) {
  std::string list;
  for (const std::string& name : columns) {
    list.append(list.empty() ? "" : ",").append(quote_name(name));
  }
  return list.empty() ? "`1`" : list;
}

}  // namespace

ComposedStatement composed(const StatementShape& shape, const std::string& text,
                           const std::vector<const ClassView*>& classes,
                           const std::vector<Bind>& values, std::uint64_t limit) {
  ComposedStatement all;
  Fragment& sql = all.sql;
  sql.binds.assign(kMostStatementValues + 1, nullptr);
  // It makes the next "?" number 102; it is never read.
  sql.add("WITH `gantry values`(x) AS (SELECT ?" + std::to_string(kMostStatementValues + 1) + ")");
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto& used = shape.classes[i];
    all.bodies.push_back(class_query(*classes[i], used.fields));
    sql.add(", " + quote_name(used.name) + "(" + column_list(used.fields) + ") AS ");
    sql.add(must_fence(shape, used, *classes[i]) ? "MATERIALIZED (" : "NOT MATERIALIZED (");
    sql.add(all.bodies.back()).add(")");
  }
  // A comment may end the text.
  sql.add(" SELECT * FROM (" + text + "\n) LIMIT ");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_numbered(shape.parameters[i])) {
      sql.binds[i] = values[i];
    } else {
      sql.binds.push_back(values[i]);
    }
  }
  sql.bind(static_cast<std::int64_t>(limit));
  return all;
}

void check_parameters(const StatementShape& shape) {
  const auto& names = shape.parameters;
  const auto numbered =
      static_cast<std::size_t>(std::count_if(names.begin(), names.end(), is_numbered));
  if (numbered == 0 || numbered == names.size()) return;
  throw QueryError(
      invalid_argument("'sql' has parameters of several forms. Write ? for all, ?1, ?2, … without "
                       "gaps, or :name"));
}

}  // namespace gantry::data
