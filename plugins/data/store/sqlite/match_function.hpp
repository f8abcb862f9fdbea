// store/sqlite/match_function.hpp: the SQL functions gantry_match(matcher, value) and
// gantry_match_row(matcher, value, …), which return 1 or 0, and gantry_key(matcher, value), which
// returns bytes that sort in the order of the values.
//
// `matcher` is a pointer bound by bind_matcher(). Anything else is an error, so SQL text cannot
// forge one.
#pragma once

#include <sqlite3.h>

#include <memory>

#include "values/matcher.hpp"

namespace gantry::data::sqlite {

// Checks whether the statement should stop. One match may take as long as a thousand operations, so
// checks by the progress handler alone would be too rare.
struct MatchGuard {
  bool (*spent)(void*) = nullptr;
  void* context = nullptr;
  unsigned calls = 0;
};

// Registers the functions, and the collation gantry_utf8: texts in the order of their UTF-8 bytes,
// also where the database stores UTF-16. `guard` may be null; otherwise it must outlive the
// connection. A matcher that throws ends the statement with SQLITE_CONSTRAINT_FUNCTION and the
// exception's text. Returns an SQLite result code.
int register_match_function(sqlite3* db, MatchGuard* guard = nullptr);

// The statement shares ownership of the matcher until the parameter is bound again or cleared.
int bind_matcher(sqlite3_stmt* stmt, int parameter, const std::shared_ptr<const Matcher>& matcher);

// A view of `value`, valid until `value` changes.
StoredValue view_value(sqlite3_value* value);

}  // namespace gantry::data::sqlite
