// ops/sql/sql_hints.hpp: what to write instead of SQL that SQLite or this tool does not have.
//
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "store/caller_statement.hpp"

namespace gantry::data {

// A sentence about the fault in this text, with a blank before it; empty: there is none.
std::string sql_hint(const StatementFault& fault, std::string_view sql);

}  // namespace gantry::data
