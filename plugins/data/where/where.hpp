// where/where.hpp: a caller's `where` and `order` as exact SQL.
//
// The predicate decides by MongoDB's rules (type bracketing, missing and null, arrays traversed
// implicitly) and is exact: nothing has to be filtered again, so limit, skip and count stay in SQL.
// What SQL cannot say runs as gantry_match(?, column) with a bound Matcher, sort keys of JSON paths
// as gantry_key(?, column). Text is stable for one shape of constraint; every value is bound.
//
// Limits: nesting 20, 1,000 operators, 10,000 listed values in one where, 32 order keys.
// Errors are the caller's fault: invalid_query (cannot be understood, with the nearest names),
// access_denied (class or field not accessible), security_blocked (code). Never throws.
// Pure functions; any thread. Fragments keep nothing of the arguments alive or borrowed.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/error.hpp"
#include "policy/scope.hpp"
#include "sql/fragment.hpp"

namespace gantry::data {

struct WhereOptions {
  // Put before every column of the class itself, "t." for a table aliased t; sub-queries have
  // names of their own.
  std::string qualifier;
};

// The predicate of `where` over `cls`; empty text when `where` is {} (every row).
Outcome<Fragment> compile_where(const rapidjson::Value& where, const ClassInfo& cls,
                                const Scope& scope, const WhereOptions& options = {});

// What stands after ORDER BY for "-createdAt,name": the named keys, then the id in the direction
// of the last key, so that pages are stable. Nulls come first ascending, last descending. An empty
// `order` gives the id alone; empty text means the class has no id and no order was asked for.
Outcome<Fragment> compile_order(std::string_view order, const ClassInfo& cls, const Scope& scope,
                                const WhereOptions& options = {});

}  // namespace gantry::data
