// store/sqlite/edit_guard.hpp: restricts a writing connection to what its rights allow.
#pragma once

#include <sqlite3.h>

#include <gantry/status.hpp>

#include <string>

#include "store/editor.hpp"

namespace gantry::data::sqlite {

// Allows INSERT, UPDATE and DELETE on tables that are not the database's own if rows may be
// written, CREATE TABLE, DROP TABLE and their indexes if the schema may be, reading, and
// transactions. Triggers and foreign keys of the schema are on, under the same authorizer. Of
// pragmas only those that describe the database may run, and the one that defers foreign keys.
// Everything else is refused: ATTACH, VACUUM, ALTER, triggers and views. One thread; it outlives
// the connection, and `rights` outlive it.
class EditGuard {
 public:
  explicit EditGuard(const EditRights& rights) : rights_(rights) {}
  EditGuard(const EditGuard&) = delete;
  EditGuard& operator=(const EditGuard&) = delete;

  // Runs the set-up pragmas, then sets limits and the authorizer.
  Status apply(sqlite3* db);
  // Runs one DROP TABLE, which also drops the triggers of that table. Returns SQLite's code.
  int drop_table(sqlite3* db, const std::string& sql);

 private:
  static int authorize(void* self, int action, const char* first, const char* second,
                       const char* database, const char* inside);
  int of_schema(int action, const char* first, const char* second);
  int change(const char* table) const;

  const EditRights& rights_;
  bool is_dropping_ = false;  // inside drop_table()
  std::string dropped_;       // its table, once SQLite has named it
};

}  // namespace gantry::data::sqlite
