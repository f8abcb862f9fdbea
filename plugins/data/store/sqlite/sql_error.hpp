// store/sqlite/sql_error.hpp: translates SQLite's result codes to error messages.
#pragma once

#include <sqlite3.h>

#include <string>

#include <gantry/status.hpp>

namespace gantry::data::sqlite {

// The reason why PATH cannot be opened or read. `code` is an extended result code.
Status open_error(int code, const std::string& path, const std::string& detail);

// The reason why preparing or stepping a statement failed. A locked file is GANTRY_BUSY.
Status statement_error(int code, const std::string& detail);

}  // namespace gantry::data::sqlite
