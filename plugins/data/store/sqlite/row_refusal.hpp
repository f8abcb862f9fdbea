// store/sqlite/row_refusal.hpp: SQLite's constraint errors as refusals of a row. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/editor.hpp"

namespace gantry::data::sqlite {

// `code` is an extended SQLITE_CONSTRAINT or SQLITE_TOOBIG, `text` SQLite's sentence for it. Texts
// of the schema (checks, RAISE) are not kept: they may hold values and names.
RowRefusal row_refusal(int code, const std::string& text);

// The names in the expression of `CONSTRAINT check CHECK (…)`; empty: the table has none of this
// name. `create_table` is the statement that makes the table.
std::vector<std::string> names_of_check(std::string_view create_table, std::string_view check);

}  // namespace gantry::data::sqlite
