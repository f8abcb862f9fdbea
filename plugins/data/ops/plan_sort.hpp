// ops/plan_sort.hpp: a $sort as ORDER BY, where the database's order is the engine's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/fragment.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct SortSql {
  std::string order;  // "`a` DESC, `b`"
  // What must hold of no row, for SQL orders such values differently: blobs among texts, dates of
  // another shape, other numbers among booleans. Where nothing is guaranteed somebody must look.
  std::vector<Fragment> exceptions;
};

// Empty: the engine has to sort. `spec` is a valid {field: ±1}.
std::optional<SortSql> sort_sql(const Value& spec, const ClassInfo& cls, const Scope& scope);

}  // namespace gantry::data
