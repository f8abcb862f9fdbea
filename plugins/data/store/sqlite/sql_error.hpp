// store/sqlite/sql_error.hpp: SQLite's result codes as sentences of ours.
#pragma once

#include <sqlite3.h>

#include <string>

#include <gantry/status.hpp>

namespace gantry::data::sqlite {

// Why PATH cannot be opened or read. `code` is an extended result code.
Status open_error(int code, const std::string& path, const std::string& detail);

// Why a statement failed while it was prepared or stepped. Locked files become GANTRY_BUSY.
Status statement_error(int code, const std::string& detail);

}  // namespace gantry::data::sqlite
