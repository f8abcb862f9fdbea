// ops/sql_faults.hpp: the errors about a caller's SQL.
#pragma once

#include "store/caller_statement.hpp"
#include "view/scope.hpp"

namespace gantry::data {

// Throws QueryError: an invalid_query, or access_denied for a class or field that the agent may not
// name. It knows visible names only.
[[noreturn]] void refuse_statement(const StatementFault& fault, const Scope& scope);

}  // namespace gantry::data
