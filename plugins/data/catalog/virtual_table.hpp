// catalog/virtual_table.hpp: what the text of a CREATE VIRTUAL TABLE says. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/sql_words.hpp"

namespace gantry::data {

// The module in lower case: "fts5"; empty for every other statement.
std::string virtual_module(const std::vector<SqlWord>& words);

// Whether tables of the module hold rows that somebody put there. Others tell of an index or of the
// database itself: fts5vocab and fts4aux list every word of an index, of columns too that are never
// shown, dbstat what tables take.
bool holds_rows(std::string_view module);

// The value of `option=value`, or "".
std::string virtual_option(const std::vector<SqlWord>& words, std::string_view option);

}  // namespace gantry::data
