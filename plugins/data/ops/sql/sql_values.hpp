// ops/sql/sql_values.hpp: the values that a request gives to its statement.
//
// All throw QueryError, invalid_argument.
#pragma once

#include <vector>

#include "ops/request.hpp"
#include "statement/page_order.hpp"
#include "store/caller_statement.hpp"

namespace gantry::data {

// The argument `params`: an array, or an object by name. Where `needs_them` is false, missing ones
// are NULL.
std::vector<Bind> parameter_values(const Request& request, const StatementShape& shape,
                                   bool needs_them);

// The argument `after` of a next_call: a JSON array with a value for each page key; empty: none.
std::vector<Bind> values_after(const Request& request, const PageOrder& pages);

}  // namespace gantry::data
