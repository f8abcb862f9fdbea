// store/sqlite/text_functions.hpp: SQLite's instr, replace, trim, ltrim and rtrim, in time that
// grows with the length of their arguments alone.
//
// SQLite's own compare each place of the one text with the whole of the other, and cannot be
// stopped meanwhile: two long texts would keep a thread for an hour. The answers are the same, so
// that these also serve the database's own views and indexes; but more than 100 different
// characters to trim are an error. Any thread, one per connection.
#pragma once

#include <sqlite3.h>

namespace gantry::data::sqlite {

// Returns an SQLite result code.
int register_text_functions(sqlite3* db);

}  // namespace gantry::data::sqlite
