// store/sqlite/schema_reader.hpp: the classes of a database, from its schema alone.
//
// Tables, views and virtual tables of the main schema, without the database's own tables, the
// shadow tables of virtual ones, and full-text indexes of other tables, which belong to the class
// that they index. One that cannot be described (a view over a table that is gone, a
// virtual table whose module is missing) is left out. Rows are not looked at.
#pragma once

#include <cstdint>
#include <vector>

#include <gantry/result.hpp>

#include "catalog/catalog.hpp"
#include "store/sqlite/connection.hpp"

namespace gantry::data::sqlite {

// `connection` has the role catalog. Errors: GANTRY_BUSY, GANTRY_FAILED of the database.
Result<std::vector<ClassInfo>> read_classes(Connection& connection);

// A number that the database changes with its schema (data_version: with any other's commit).
Result<std::int64_t> read_number(Connection& connection, std::string_view pragma);

}  // namespace gantry::data::sqlite
