// catalog/internal_columns.hpp: what tells of internal columns besides the columns themselves.
//
// The floor is a list of names. What the database keeps or computes from such a column is internal
// as well: generated columns, columns that refer to it by a foreign key, indexes that hold it or
// name it, a row number that is it, and the order in which an index with it gives rows. Views are
// the exception: one that gives an internal column another name is the operator's own decision.
// Pure functions; any thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/identity.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data {

// Words by the lowered name of what they create.
using CreateWords = std::unordered_map<std::string, std::vector<SqlWord>>;

// Whether the text of a CREATE INDEX names an internal column, without regard to any class.
bool tells_of_internal(const std::vector<SqlWord>& words);

// Marks the fields of a table whose names are on the floor, and what is generated from such.
// `words`: of its CREATE TABLE; empty for views and virtual tables.
void mark_internal_fields(RawClass& cls, const std::vector<SqlWord>& words);

// Marks fields that refer to internal ones, over any number of steps.
void mark_internal_references(std::vector<RawClass>& classes);

// Marks indexes of which an internal field is part, or whose expressions or condition name one, and
// takes the row number from classes where it is one. `indexes`: CREATE INDEX statements. To be
// called when all fields are marked.
void mark_internal_indexes(RawClass& cls, const CreateWords& indexes);

// Says of which classes the database's own order of rows tells of internal columns: tables by their
// keys and indexes, views by what they read. `views`: CREATE VIEW statements. To be called last.
void mark_telling_orders(std::vector<RawClass>& classes, const CreateWords& views);

}  // namespace gantry::data
