// store/sqlite/caller_functions.hpp: the SQL functions that a caller's statement may use.
//
// All are deterministic except for the clock, read nothing but their arguments, and write nothing.
// SQLite's date functions are replaced by functions that do not know the host's time zone, and its
// printf() and format() by ones that cannot run for longer than their value allows: a statement
// calls gantry_date() where the caller wrote date(). Any thread, one per connection.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "store/sqlite/statement_cache.hpp"

namespace gantry::data::sqlite {

enum class FunctionUse {
  refused,
  safe,   // of one row, and cannot fail on any value
  other,  // may fail, make a large value, or depend on the order of rows
  clock   // the same, and may read the clock
};

// Names in any ASCII case.
FunctionUse use_of_function(std::string_view name);

// The statement with the names of these functions replaced; texts, comments and other names stay,
// also those of queries: "WITH date(x) AS …".
std::string with_own_functions(std::string_view sql);

bool is_own_function(std::string_view name);

// The functions behind those names, of one connection. It must outlive the connection's statements.
class OwnFunctions {
 public:
  OwnFunctions() = default;
  ~OwnFunctions();
  OwnFunctions(const OwnFunctions&) = delete;
  OwnFunctions& operator=(const OwnFunctions&) = delete;

  // Returns an SQLite result code.
  int register_with(sqlite3* db);
  // The time of 'now' is the same until the next call of this.
  void begin_statement() { now_.clear(); }

 private:
  struct Named;
  struct FreeStatement {
    void operator()(CachedStatement* entry) const;
  };
  using HelperStatement = std::unique_ptr<CachedStatement, FreeStatement>;
  static void call(sqlite3_context* context, int count, sqlite3_value** arguments);
  void run_date(sqlite3_context* context, const char* name, int count, sqlite3_value** arguments);
  void run_format(sqlite3_context* context, int count, sqlite3_value** arguments);
  // A statement of the helper, kept for other rows. Its first parameters get the values, which it
  // loses with the result.
  HelperStatement helper_statement(const std::string& sql, std::span<sqlite3_value* const> values);
  bool knows_format(sqlite3_value* format);
  const std::string& now();
  sqlite3* helper();

  sqlite3* helper_ = nullptr;  // an empty database whose functions are called; null: not yet
  StatementCache statements_;  // of the helper
  std::string now_;            // ISO text; empty: not read yet
};

}  // namespace gantry::data::sqlite
