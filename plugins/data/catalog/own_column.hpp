// catalog/own_column.hpp: what columns of STRICT tables hold that SQLite has no type for.
//
// STRICT knows INTEGER, REAL, TEXT, BLOB and ANY; tables that are made here say the rest by a check
// that the database enforces, and every STRICT table with that check is taken at its word:
//
//   INTEGER CHECK(x IN (0,1))                                  a boolean
//   INTEGER CHECK(x BETWEEN -62167219200000 AND 253402300799999)   a date, milliseconds since 1970
//   TEXT CHECK(x IS NULL OR json_valid(x)), or json_valid(x) alone   JSON of any kind
//
// Pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/sql_words.hpp"

namespace gantry::data {

// In the place of a declared type.
inline constexpr std::string_view kOwnBoolean = "BOOLEAN", kOwnDate = "DATE_MS",
                                  kOwnJson = "JSON_VALUE";

// One of those, or empty. The words are those of the CREATE statement of a STRICT table.
std::string_view own_type(const std::vector<SqlWord>& words, std::string_view column);

}  // namespace gantry::data
