// store/sqlite/search_reader.hpp: which FTS5 tables are indexes of which classes.
//
// One that says content='table' of an ordinary table, by that table's row number, belongs to the
// class of that table and is none itself. Contentless ones, those over views, and all that are not
// what the text that made them says stay as they are.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gantry/status.hpp>

#include "catalog/identity.hpp"
#include "store/sqlite/connection.hpp"

namespace gantry::data::sqlite {

// By lowered name.
struct DeclaredTables {
  std::unordered_map<std::string, std::string> texts;  // CREATE statements of tables
  std::unordered_set<std::string> ordinary, shadows;
};

// `connection` has the role catalog. Errors: those of the database.
Status read_searches(Connection& connection, const DeclaredTables& tables,
                     std::vector<RawClass>& classes);

}  // namespace gantry::data::sqlite
