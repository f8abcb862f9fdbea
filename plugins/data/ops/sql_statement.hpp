// ops/sql_statement.hpp: a caller's statement, judged and composed for the scope of its request.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/request.hpp"
#include "statement/composed.hpp"

namespace gantry::data {

struct SqlStatement {
  StatementShape shape;
  std::vector<const ClassView*> classes;  // of shape.classes
  CallerStatement composed;
};

// Of the arguments `sql` and `params`. Throws QueryError: what is wrong with them, in words that
// name visible classes and fields only, with the nearest and the position. Where `needs_values` is
// false, missing params are NULL.
SqlStatement sql_statement(const Request& request, std::uint64_t limit, bool needs_values = true);

}  // namespace gantry::data
