// catalog/own_column.hpp: kinds that a STRICT table states by a CHECK constraint.
//
// STRICT tables know INTEGER, REAL, TEXT, BLOB and ANY. Tables made by Gantry state other kinds by
// a CHECK that the database enforces. Every STRICT table with such a CHECK is read that way:
//
//   INTEGER CHECK(x IN (0,1))                                  a boolean
//   INTEGER CHECK(x BETWEEN -62167219200000 AND 253402300799999)   a date, milliseconds since 1970
//   TEXT CHECK(x IS NULL OR json_valid(x)), or json_valid(x) alone   JSON, its kind by the rows
//   TEXT CHECK(x IS NULL OR json_valid(x) = 1)                       JSON of any kind
//
// Pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/sql_words.hpp"

namespace gantry::data {

// Used in place of a declared type.
inline constexpr std::string_view kStrictBoolean = "BOOLEAN", kStrictDate = "DATE_MS",
                                  kStrictJson = "JSON_VALUE", kStrictAnyJson = "JSON_ANY";

// One of those, or empty. `words` are those of the CREATE statement of a STRICT table.
std::string_view strict_column_type(const std::vector<SqlWord>& words, std::string_view column);

}  // namespace gantry::data
