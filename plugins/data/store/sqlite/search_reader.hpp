// store/sqlite/search_reader.hpp: finds the FTS5 tables that are indexes of other classes.
//
// A table with content='table' of an ordinary table, keyed by that table's rowid, belongs to the
// table's class and is not a class itself. Contentless tables, those over views, and those that do
// not match their CREATE text stay classes.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gantry/status.hpp>

#include "catalog/identity.hpp"
#include "store/sqlite/connection.hpp"

namespace gantry::data::sqlite {

// Keyed by the name in lower case.
struct DeclaredTables {
  std::unordered_map<std::string, std::string> texts;  // CREATE statements of tables
  std::unordered_set<std::string> ordinary, shadows;
};

// `connection` has the role catalog. Errors: the database's.
Status read_searches(Connection& connection, const DeclaredTables& tables,
                     std::vector<RawClass>& classes);

}  // namespace gantry::data::sqlite
