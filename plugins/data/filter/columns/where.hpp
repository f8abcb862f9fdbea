// filter/columns/where.hpp: compiles a caller's `where` and `order` to exact SQL.
//
// The predicate follows MongoDB's rules (type bracketing, missing and null, implicit array
// traversal) and is exact: rows need no further filter, so limit, skip and count are done in SQL.
// Conditions that SQL cannot express run as gantry_match(?, column) with a bound Matcher, sort keys
// of JSON paths as gantry_key(?, column). Constraints of one shape give the same SQL text; every
// value is bound.
//
// Limits: nesting 20, of conditions on JSON 100; 1,000 operators, 10,000 listed values in one
// where, 32 order keys. Errors are the caller's fault, thrown as QueryError: invalid_query (cannot
// be understood, with the nearest names), access_denied (class or field not accessible),
// security_blocked (code). Any thread. The results own their values: the arguments need not outlive
// them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "errors/query_error.hpp"
#include "sql/predicate.hpp"
#include "values/value.hpp"
#include "view/scope.hpp"

namespace gantry::data {

class Dialect;
namespace columns {
struct SubQuery;
}

// Runs the sub-query of `op` ($inQuery, $notInQuery, $select, $dontSelect) over a document class,
// whose conditions SQL cannot evaluate: ids, where pointers are given by their ids, or values of a
// field; at most 10,000. They become literals of the predicate. Throws QueryError.
using AskDocuments = std::function<Array(std::string_view op, const columns::SubQuery& query)>;

struct WhereOptions {
  const Dialect& dialect;  // of the class's store
  AskDocuments ask = {};   // none: such sub-queries are refused
};

// The predicate of `where` over `cls`; empty when `where` is {} (every row).
Predicate compile_where(const Value& where, const ClassView& cls, const Scope& scope,
                        const WhereOptions& options);

// One field of an order.
struct OrderKey {
  std::string_view name;  // of the order's text
  bool descending = false;
};
// The fields of "-createdAt,name", in order. Refuses an empty name and too many.
std::vector<OrderKey> read_order(std::string_view order);

// An ORDER BY list.
struct RowOrder {
  Fragment sql;
  // `sql` sorts values as they are stored. Where a row satisfies one of these conditions, it must
  // be `exact`, which sorts them as the agent sees them, without an index: the hidden parts of
  // texts would show in the order (sql/seen_text.hpp).
  std::vector<Predicate> exceptions;
  // Where a row satisfies one of these, `sql` is another order (stored_key.hpp). Sampled rows do
  // not: a short look will do. None where rules hold.
  std::vector<Predicate> doubts;
  Fragment exact;  // empty: `sql` always is
};

// The order for "-createdAt,name": the named keys, then the id in the direction of the last
// key, so that pages are stable, then whatever hides an internal column (sql/row_order.hpp). Values
// sort as in a $sort, dates by time, and within a millisecond by their texts; nulls come first if
// ascending, last if descending. A path through pointers sorts by the field of their object. For an
// empty `order` it is the id alone; empty text: the class has no id and no order was requested.
RowOrder compile_order(std::string_view order, const ClassView& cls, const Scope& scope);

}  // namespace gantry::data
