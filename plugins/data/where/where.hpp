// where/where.hpp: compiles a caller's `where` and `order` to exact SQL.
//
// The predicate follows MongoDB's rules (type bracketing, missing and null, implicit array
// traversal) and is exact: rows need no further filter, so limit, skip and count are done in SQL.
// Conditions that SQL cannot express run as gantry_match(?, column) with a bound Matcher, sort keys
// of JSON paths as gantry_key(?, column). Constraints of one shape give the same SQL text; every
// value is bound.
//
// Limits: nesting 20, of conditions on JSON 100; 1,000 operators, 10,000 listed values in one
// where, 32 order keys. Errors are the caller's fault: invalid_query (cannot be understood, with
// the nearest names), access_denied (class or field not accessible), security_blocked (code). Pure
// functions; any thread. Fragments own their values: the arguments need not outlive them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "errors/error.hpp"
#include "policy/scope.hpp"
#include "sql/fragment.hpp"
#include "values/value.hpp"

namespace gantry::data {

namespace where {
class Dialect;
}

struct WhereOptions {
  // The prefix of every column of the class itself: "t." for a table with alias t. Sub-queries
  // choose their own aliases.
  std::string qualifier = {};
  const where::Dialect* dialect = nullptr;  // see where/dialect.hpp; null: the store's
};

// The predicate of `where` over `cls`; empty text when `where` is {} (every row).
Outcome<Fragment> compile_where(const Value& where, const ClassInfo& cls, const Scope& scope,
                                const WhereOptions& options = {});

// One field of an order.
struct OrderKey {
  std::string_view name;  // of the order's text
  bool descending = false;
};
// The fields of "-createdAt,name", in order. Throws QueryError: an empty name, too many.
std::vector<OrderKey> read_order(std::string_view order);

// The ORDER BY list for "-createdAt,name": the named keys, then the id in the direction of the last
// key, so that pages are stable. Nulls come first if ascending, last if descending. For an empty
// `order` it is the id alone; empty text: the class has no id and no order was requested.
Outcome<Fragment> compile_order(std::string_view order, const ClassInfo& cls, const Scope& scope,
                                const WhereOptions& options = {});

}  // namespace gantry::data
