// catalog/read_tables.hpp: the tables whose rows a view or a full-text table shows.
//
// By the words of its CREATE statement, and through other views: a name that is one of a table
// counts wherever it stands, so that more tables may be found than are read, and never fewer. Pure;
// any thread.
#pragma once

#include <vector>

#include "catalog/internal_columns.hpp"

namespace gantry::data {

// Sets ClassInfo::reads of views, whose statements are `views`.
void find_tables_of_views(std::vector<RawClass>& classes, const CreateWords& views);

// The same of one virtual table: that of its option "content". Call before the above.
void find_table_of_content(RawClass& cls, const std::vector<RawClass>& classes,
                           const std::vector<SqlWord>& words);

}  // namespace gantry::data
