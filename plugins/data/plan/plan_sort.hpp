// plan/plan_sort.hpp: a $sort as ORDER BY, where both give the same order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/predicate.hpp"
#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

struct SortSql {
  std::string order;  // "`a` DESC, `b`"
  // Conditions that no row may satisfy, because SQL sorts such values differently: blobs among
  // texts, dates of another shape, other numbers among booleans. Check them unless the schema
  // guarantees them.
  std::vector<Predicate> exceptions;
};

// Empty: the engine must sort. `spec` is a valid {field: ±1}.
std::optional<SortSql> sort_sql(const Value& spec, const ClassView& cls);

}  // namespace gantry::data
