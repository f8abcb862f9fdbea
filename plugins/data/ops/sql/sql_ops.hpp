// ops/sql/sql_ops.hpp: the operation `sql`: a caller's own SELECT over what its agent may see.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// sql, params? (an array, or an object by name), limit?, format?; the rows are arrays.
Reply run_sql(const Request& request);

// The plan of the statement in the argument `sql`, for `explain`.
Reply explain_sql(const Request& request);

}  // namespace gantry::data
