// catalog/column_type.hpp: the kinds that a declared SQL type promises. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/field.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data {

// How SQLite converts values that are stored in a column of this type.
enum class Affinity { none, text, numeric };  // numeric: INTEGER, REAL and NUMERIC

Affinity affinity_of(std::string_view declared);
// Whether SQLite makes a fraction of an integer there (REAL affinity), without its last digits.
bool makes_fractions(std::string_view declared);

// The kind that the words of the type suggest; `object` for JSON, `any` if they suggest none.
Kind declared_kind(std::string_view declared);

// The kind that the database guarantees for one column, from the words of the table's CREATE
// statement: a STRICT type, or CHECK(typeof(column) = 'text') and its IN form. `any`: no guarantee.
Kind proven_kind(const std::vector<SqlWord>& words, std::string_view column,
                 std::string_view declared, bool strict);

// ASCII only, as SQLite compares names.
std::string lower(std::string_view text);
bool same_name(std::string_view a, std::string_view b);

// `name` with backticks, for SQL.
std::string quote_name(std::string_view name);
// The same with double quotes, as standard SQL has them: for texts that others read, too.
std::string in_double_quotes(std::string_view name);

}  // namespace gantry::data
