// store/sqlite/schema_reader.hpp: reads the classes of a database from its schema.
//
// Classes are the tables, views and virtual tables of the main schema, except SQLite's own tables,
// the shadow tables of virtual tables, and full-text indexes of other tables, which become part of
// the class that they index. An object that cannot be described (a view over a missing table, a
// virtual table whose module is missing) is left out. Rows are not read.
#pragma once

#include <cstdint>
#include <vector>

#include <gantry/result.hpp>

#include "catalog/catalog.hpp"
#include "store/sqlite/connection.hpp"

namespace gantry::data::sqlite {

// `connection` has the role catalog. Errors: GANTRY_BUSY and GANTRY_FAILED from the database.
Result<std::vector<ClassInfo>> read_classes(Connection& connection);

// Reads a numeric pragma: schema_version, or data_version, which changes with other programs'
// commits.
Result<std::int64_t> read_number(Connection& connection, std::string_view pragma);

}  // namespace gantry::data::sqlite
