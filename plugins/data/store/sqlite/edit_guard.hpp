// store/sqlite/edit_guard.hpp: restricts a writing connection to what its rights allow.
#pragma once

#include <sqlite3.h>

#include <gantry/status.hpp>

#include "store/editor.hpp"

namespace gantry::data::sqlite {

// Runs the set-up pragmas, then sets limits and the authorizer: INSERT, UPDATE and DELETE on tables
// that are not the database's own if rows may be written, CREATE TABLE, DROP TABLE and their
// indexes if the schema may be, reading, and transactions. Triggers and foreign keys of the schema
// are on, under the same authorizer. Of pragmas only those that describe the database may run.
// Everything else is refused: ATTACH, VACUUM, ALTER, triggers and views. `rights` must outlive
// `db`.
Status guard_edits(sqlite3* db, const EditRights& rights);

}  // namespace gantry::data::sqlite
