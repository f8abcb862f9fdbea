// catalog/internal_columns.hpp: marks everything that could reveal the values of an internal
// column.
//
// The list of internal names is in catalog/floor.cpp. Data that the database derives from such a
// column is internal as well: generated columns, columns that refer to it by a foreign key, indexes
// that contain or name it, a rowid that is an alias of it, and the row order that such an index
// produces. Views are the exception: a view that renames an internal column is the operator's
// decision. Pure functions; any thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/identity.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data {

// The words of CREATE statements, by the lower-case name of the created object.
using CreateWords = std::unordered_map<std::string, std::vector<SqlWord>>;

// Whether the text of a CREATE INDEX names an internal column of any class.
bool tells_of_internal(const std::vector<SqlWord>& words);

// Marks the fields of a table with internal names, and columns generated from them. `words`: those
// of its CREATE TABLE; empty for views and virtual tables.
void mark_internal_fields(RawClass& cls, const std::vector<SqlWord>& words);

// Marks fields that refer to internal ones, over any number of steps.
void mark_internal_references(std::vector<RawClass>& classes);

// Marks indexes that contain an internal field, or name one in an expression or a condition. Clears
// the rowid of classes where it is an internal column. `indexes`: CREATE INDEX statements. Call
// after all fields are marked.
void mark_internal_indexes(RawClass& cls, const CreateWords& indexes);

// Sets order_tells of classes whose natural row order could reveal an internal column: of tables by
// their keys and indexes, of views by the tables they read. `views`: CREATE VIEW statements. Call
// last.
void mark_telling_orders(std::vector<RawClass>& classes, const CreateWords& views);

}  // namespace gantry::data
