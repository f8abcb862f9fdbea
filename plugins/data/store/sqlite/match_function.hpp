// store/sqlite/match_function.hpp: the SQL functions gantry_match(matcher, value) and
// gantry_match_row(matcher, value, …), which answer 1 or 0, and gantry_key(matcher, value), which
// answers bytes that order as the values do.
//
// `matcher` is a pointer bound with bind_matcher(); anything else is an error, so no SQL text can
// make one up.
#pragma once

#include <sqlite3.h>

#include <memory>

#include "sql/matcher.hpp"

namespace gantry::data::sqlite {

// Asks whether the statement should stop; a single match may take as long as a thousand plain
// operations, so the progress handler alone would look too rarely.
struct MatchGuard {
  bool (*spent)(void*) = nullptr;
  void* context = nullptr;
  unsigned calls = 0;
};

// Registers them, and the collation gantry_utf8: texts in the order of their UTF-8 bytes, also
// where the database stores UTF-16. `guard` may be null, else it lives as long as the connection. A
// matcher that throws ends the statement with SQLITE_CONSTRAINT_FUNCTION and the exception's words.
// Returns an SQLite result code.
int register_match_function(sqlite3* db, MatchGuard* guard = nullptr);

// The statement shares the matcher until the parameter is bound anew or cleared.
int bind_matcher(sqlite3_stmt* stmt, int parameter, const std::shared_ptr<const Matcher>& matcher);

// A view of `value`, valid until `value` changes.
StoredValue view_value(sqlite3_value* value);

}  // namespace gantry::data::sqlite
