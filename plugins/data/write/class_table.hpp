// write/class_table.hpp: a class of the catalog as the table that its rows are written to, and a
// table that is to be created as a class. Pure functions; any thread.
#pragma once

#include "store/writer.hpp"
#include "write/table.hpp"

namespace gantry::data {
struct ClassInfo;
}

namespace gantry::data::write {

// The columns of a class with columns, as agents read them, without generated ones; `by_field` also
// has the names objectId, _id, createdAt, updatedAt and ACL for the columns of these roles. `info`
// has sampled kinds.
Table table_of(const ClassInfo& info);

// The column of one field.
Column column_of(const Field& field);

// What Writer::create_class() is to make of the table.
NewClass new_class(const Table& table);

// The form of a pointer's column whose target has a key of this kind.
Form key_form(Kind key);

}  // namespace gantry::data::write
