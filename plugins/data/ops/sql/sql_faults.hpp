// ops/sql/sql_faults.hpp: the errors about a caller's SQL.
#pragma once

#include <string_view>

#include "store/caller_statement.hpp"
#include "view/scope.hpp"

namespace gantry::data {

// Throws QueryError: an invalid_query, or access_denied for a class or field that the agent may not
// name. It knows visible names only.
[[noreturn]] void refuse_statement(const StatementFault& fault, std::string_view sql,
                                   const Scope& scope);

}  // namespace gantry::data
