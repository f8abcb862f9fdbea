// store/sqlite/row_refusal.hpp: SQLite's constraint errors as refusals of a row. Pure; any thread.
#pragma once

#include <string>

#include "store/editor.hpp"

namespace gantry::data::sqlite {

// `code` is an extended SQLITE_CONSTRAINT or SQLITE_TOOBIG, `text` SQLite's sentence for it. Texts
// of the schema (checks, RAISE) are not kept: they may hold values and names.
RowRefusal row_refusal(int code, const std::string& text);

}  // namespace gantry::data::sqlite
