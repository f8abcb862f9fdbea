// catalog/checked_values.hpp: the values that CHECK constraints allow in a column.
//
// Understood are the forms that list values, of the column and of the table:
//
//   CHECK(status IN ('open', 'paid'))          CHECK(kind = 'a' OR kind = 'b' OR kind IS NULL)
//
// with any parentheses and comments. Any other condition, on this column alone or beside one of
// these, says nothing: neither does a list with NULL, which every value passes. Pure functions; any
// thread.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/field.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data {

// Sets `allowed` of every field whose values a constraint lists, in the order written; of several
// constraints, the values that all allow. `words` are those of the CREATE TABLE statement; `fields`
// have names and declared types. A list of more than 200 values is left out.
void find_allowed_values(const std::vector<SqlWord>& words, std::vector<Field>& fields);

}  // namespace gantry::data
