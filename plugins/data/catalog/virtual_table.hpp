// catalog/virtual_table.hpp: reads the text of a CREATE VIRTUAL TABLE. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/sql_words.hpp"

namespace gantry::data {

// The module in lower case: "fts5"; empty for any other statement.
std::string virtual_module(const std::vector<SqlWord>& words);

// Whether tables of the module hold rows of their own. Others describe an index or the database:
// fts5vocab and fts4aux list every word of an index, of internal columns too; dbstat lists the
// sizes of tables.
bool holds_rows(std::string_view module);

// The value of `option=value`, or "".
std::string virtual_option(const std::vector<SqlWord>& words, std::string_view option);

}  // namespace gantry::data
