#include "store/sqlite/edit_guard.hpp"

#include <string_view>

#include "store/sqlite/guard.hpp"
#include "store/sqlite/sql_error.hpp"

namespace gantry::data::sqlite {
namespace {

bool begins(const char* a, std::string_view b) {
  return a && sqlite3_strnicmp(a, b.data(), static_cast<int>(b.size())) == 0;
}

// A change of the schema is compiled into changes of sqlite_schema. No statement may name such a
// table itself: DEFENSIVE refuses that.
int change(const EditRights& rights, const char* table) {
  const bool is_own = begins(table, "sqlite_");
  if (is_own) return rights.schema ? SQLITE_OK : SQLITE_DENY;
  // DROP TABLE is a DELETE too.
  return rights.any() ? SQLITE_OK : SQLITE_DENY;
}

int edit_authorizer(void* context, int action, const char* first, const char* second,
                    const char* /*database*/, const char* /*inside*/) {
  const EditRights& rights = *static_cast<const EditRights*>(context);
  if (!rights.schema && declares_virtual_table(action, first, second)) return SQLITE_IGNORE;
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
      return change(rights, first);
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_INDEX:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_VTABLE:
    case SQLITE_DROP_INDEX:
    case SQLITE_REINDEX:
      return rights.schema ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
      return describes(first, second) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

}  // namespace

Status guard_edits(sqlite3* db, const EditRights& rights) {
  turn_off_extras(db);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, nullptr);
  // As for readers, see guard.cpp: the authorizer refuses functions with side effects.
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, nullptr);
  const int rc =
      sqlite3_exec(db, "PRAGMA foreign_keys=1; PRAGMA cell_size_check=1; PRAGMA temp_store=2",
                   nullptr, nullptr, nullptr);
  if (rc != SQLITE_OK) return statement_error(rc, sqlite3_errmsg(db));
  limit_statements(db);
  sqlite3_set_authorizer(db, edit_authorizer, const_cast<EditRights*>(&rights));
  return Status::ok();
}

}  // namespace gantry::data::sqlite
