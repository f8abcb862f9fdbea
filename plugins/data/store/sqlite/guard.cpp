#include "store/sqlite/guard.hpp"

#include <cstring>
#include <string>
#include <string_view>

#include "store/sqlite/caller_functions.hpp"
#include "store/sqlite/sql_error.hpp"
#include "store/store.hpp"

namespace gantry::data::sqlite {

bool begins(const char* a, std::string_view b) {
  return a && sqlite3_strnicmp(a, b.data(), int(b.size())) == 0;
}

namespace {

// LIKE looks for a pattern at every place of a value, and cannot be stopped meanwhile.
constexpr int kMostCallerPattern = 200;

bool same(const char* a, std::string_view b) {
  return a && std::strlen(a) == b.size() && sqlite3_strnicmp(a, b.data(), int(b.size())) == 0;
}

// sqlite_schema, sqlite_stat1, sqlite_dbpage, sqlite_stmt, … and the pragmas as tables.
bool is_store_table(const char* table) {
  return begins(table, "sqlite_") || begins(table, "pragma_") || same(table, "dbstat") ||
         begins(table, "_gantry_");
}

// An R*Tree compiles its write statements when it is connected. They cannot take effect: DEFENSIVE
// makes such tables read-only, and prepare() refuses statements that write.
bool prepares_rtree(int action, const char* table) {
  if (action != SQLITE_INSERT && action != SQLITE_UPDATE && action != SQLITE_DELETE) return false;
  const std::string_view name(table ? table : "");
  return name.ends_with("_node") || name.ends_with("_rowid") || name.ends_with("_parent");
}

bool is_for_callers(const char* function) {
  return function != nullptr &&
         (is_own_function(function) || use_of_function(function) != FunctionUse::refused);
}

// `inside`: the innermost named sub-query or view that holds the access; null: none.
bool is_ours(const CallerText& caller, const char* inside) {
  return begins(inside, kOwnNames) || (inside != nullptr && caller.views.count(inside) != 0);
}

// A read of no column: of a sub-query, which belongs to no database, or of a table or view whose
// sub-query became a part of the statement.
bool reads_nothing(const CallerText& caller, const char* table, const char* column,
                   const char* database) {
  if (column == nullptr || column[0] != '\0') return false;
  if (database == nullptr) return true;
  return table != nullptr && (caller.tables.count(table) != 0 || caller.views.count(table) != 0);
}

// Notes what our sub-queries read. False: a caller's own text reads a table or calls a function
// that is not for callers.
bool may_access(CallerText& caller, int action, const char* first, const char* second,
                const char* database, const char* inside) {
  if (action != SQLITE_READ && action != SQLITE_FUNCTION) return true;
  const bool is_body = caller.compiles == CallerText::Now::bodies;
  if (is_body && inside != nullptr) caller.views.insert(inside);
  if (is_body || is_ours(caller, inside)) {
    if (action == SQLITE_READ && first != nullptr) caller.tables.insert(first);
    return true;
  }
  if (caller.compiles == CallerText::Now::none) return true;
  const bool may = action == SQLITE_FUNCTION ? is_for_callers(second)
                                             : reads_nothing(caller, first, second, database);
  caller.has_refused = caller.has_refused || !may;
  return may;
}

int rows_authorizer(void* caller, int action, const char* first, const char* second,
                    const char* database, const char* inside) {
  if (caller != nullptr &&
      !may_access(*static_cast<CallerText*>(caller), action, first, second, database, inside)) {
    return SQLITE_DENY;
  }
  if (declares_virtual_table(action, first, second) || prepares_rtree(action, first)) {
    return SQLITE_IGNORE;
  }
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      return is_store_table(first) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_FUNCTION:
      return is_forbidden_function(second) ? SQLITE_DENY : SQLITE_OK;
    // Full-text tables use it themselves to detect changes of their index.
    case SQLITE_PRAGMA:
      return same(first, "data_version") && !second ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

int catalog_authorizer(void*, int action, const char* first, const char* second, const char*,
                       const char*) {
  if (declares_virtual_table(action, first, second) || prepares_rtree(action, first)) {
    return SQLITE_IGNORE;
  }
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
    case SQLITE_READ:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return is_forbidden_function(second) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      return describes(first, second) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

}  // namespace

bool describes(const char* pragma, const char* argument) {
  if (same(pragma, "schema_version") || same(pragma, "page_count") || same(pragma, "page_size") ||
      same(pragma, "data_version") || same(pragma, "encoding")) {
    return !argument;
  }
  return same(pragma, "table_list") || same(pragma, "table_info") || same(pragma, "table_xinfo") ||
         same(pragma, "index_list") || same(pragma, "index_xinfo") ||
         same(pragma, "foreign_key_list");
}

bool is_forbidden_function(const char* name) {
  return same(name, "load_extension") || same(name, "fts3_tokenizer") || same(name, "writefile") ||
         same(name, "readfile") || same(name, "edit");
}

// To connect a virtual table, SQLite compiles, but never runs, the CREATE TABLE's write to
// sqlite_master. SQLITE_IGNORE grants nothing: the columns read as NULL.
bool declares_virtual_table(int action, const char* table, const char* column) {
  return same(table, "sqlite_master") &&
         (action == SQLITE_UPDATE || (action == SQLITE_READ && same(column, "ROWID")));
}

void limit_statements(sqlite3* db) {
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, static_cast<int>(kMostValueBytes));
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 4 << 20);
  sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 1000);
  sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 100);
  sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 1'000'000);
  sqlite3_limit(db, SQLITE_LIMIT_FUNCTION_ARG, 100);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10'000);
  sqlite3_limit(db, SQLITE_LIMIT_VARIABLE_NUMBER, 32'766);
  sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
}

void turn_off_extras(sqlite3* db) {
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

Status guard_connection(sqlite3* db, Role role, const Tuning& tuning, CallerText* caller) {
  turn_off_extras(db);
  // SQLite 3.40 classifies its JSON functions as unsafe, so with an untrusted schema a file that
  // uses JSON in a check, an index or a view could not be read. Trusting the schema is safe here:
  // functions registered by us are DIRECTONLY, and the authorizer refuses the built-in functions
  // with side effects.
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, nullptr);
  const std::string setup =
      "PRAGMA query_only=1; PRAGMA cell_size_check=1; PRAGMA temp_store=2;"
      "PRAGMA cache_size=-" +
      std::to_string(tuning.cache_kib) + "; PRAGMA mmap_size=" + std::to_string(tuning.mmap_bytes) +
      ";";
  const int rc = sqlite3_exec(db, setup.c_str(), nullptr, nullptr, nullptr);
  if (rc != SQLITE_OK) return statement_error(rc, sqlite3_errmsg(db));
  limit_statements(db);
  const bool is_rows = role == Role::rows;
  sqlite3_set_authorizer(db, is_rows ? rows_authorizer : catalog_authorizer,
                         is_rows ? caller : nullptr);
  return Status::ok();
}

void limit_caller_values(sqlite3* db) {
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, static_cast<int>(kMostCallerValueBytes));
  sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kMostCallerPattern);
}

void unlimit_caller_values(sqlite3* db) { limit_statements(db); }

}  // namespace gantry::data::sqlite
