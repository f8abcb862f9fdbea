// store/sqlite/explain.hpp: parses one line of SQLite's EXPLAIN QUERY PLAN.
//
// "SEARCH main.people USING INDEX by_age (age>?)" finds rows by an index; "SCAN main.people" reads
// all of them, in some order. Pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "store/store.hpp"

namespace gantry::data::sqlite {

// The steps of the statement's plan, one for each of its lines. `asked`: the name of the class that
// the statement reads. Tables that it reads as a view count as its own.
std::vector<PlanStep> parse_plan(const std::vector<std::string>& lines, const Catalog& catalog,
                                 std::string_view asked);

}  // namespace gantry::data::sqlite
