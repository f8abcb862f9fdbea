#include "store/sqlite/edit_guard.hpp"

#include <string_view>

#include "store/sqlite/guard.hpp"
#include "store/sqlite/sql_error.hpp"

namespace gantry::data::sqlite {
namespace {

// Until the transaction ends, and for it alone.
bool defers_keys(const char* pragma, const char* argument) {
  return pragma && argument && sqlite3_stricmp(pragma, "defer_foreign_keys") == 0 &&
         std::string_view(argument) == "1";
}

}  // namespace

// A change of the schema is compiled into changes of sqlite_schema. No statement may name such a
// table itself: DEFENSIVE refuses that.
int EditGuard::change(const char* table) const {
  const bool is_own = begins(table, "sqlite_");
  if (is_own) return rights_.schema ? SQLITE_OK : SQLITE_DENY;
  // DROP TABLE is a DELETE too.
  return rights_.any() ? SQLITE_OK : SQLITE_DENY;
}

// SQLite asks for the table of a DROP TABLE before it asks for its triggers.
int EditGuard::of_schema(int action, const char* first, const char* second) {
  if (!rights_.schema) return SQLITE_DENY;
  if (action == SQLITE_DROP_TABLE && is_dropping_) dropped_ = first;
  if (action != SQLITE_DROP_TRIGGER) return SQLITE_OK;
  return is_dropping_ && second && dropped_ == second ? SQLITE_OK : SQLITE_DENY;
}

int EditGuard::authorize(void* self, int action, const char* first, const char* second,
                         const char* /*database*/, const char* /*inside*/) {
  EditGuard& guard = *static_cast<EditGuard*>(self);
  if (!guard.rights_.schema && declares_virtual_table(action, first, second)) return SQLITE_IGNORE;
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
    case SQLITE_READ:
    case SQLITE_TRANSACTION:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return is_forbidden_function(second) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      return guard.change(first);
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_INDEX:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_VTABLE:
    case SQLITE_DROP_INDEX:
    case SQLITE_REINDEX:
      return guard.of_schema(action, first, second);
    case SQLITE_PRAGMA:
      return describes(first, second) || defers_keys(first, second) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

Status EditGuard::apply(sqlite3* db) {
  turn_off_extras(db);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, nullptr);
  // As for readers, see guard.cpp: the authorizer refuses functions with side effects.
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, nullptr);
  const int rc =
      sqlite3_exec(db, "PRAGMA foreign_keys=1; PRAGMA cell_size_check=1; PRAGMA temp_store=2",
                   nullptr, nullptr, nullptr);
  if (rc != SQLITE_OK) return statement_error(rc, sqlite3_errmsg(db));
  limit_statements(db);
  sqlite3_set_authorizer(db, authorize, this);
  return Status::ok();
}

int EditGuard::drop_table(sqlite3* db, const std::string& sql) {
  is_dropping_ = true;
  dropped_.clear();
  const int rc = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
  is_dropping_ = false;
  return rc;
}

}  // namespace gantry::data::sqlite
