// store/sqlite/class_statements.hpp: the SQL that makes a class. Pure functions; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "store/writer.hpp"

namespace gantry::data::sqlite {

std::string create_statement(const NewClass& made);

// What the unique index of a document class is on. true and 1 have the same SQL value, as do an
// object and its text; the type distinguishes them.
std::string document_id(const NewClass& made);

// `wanted`, with a number behind it where the database has an index or a table of that name: a
// table that is renamed keeps the names of its indexes. `taken` gives the rows of `kNamesTaken`.
inline constexpr const char* kNamesTaken =
    "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE";
Outcome<std::string> free_index_name(
    const std::string& wanted,
    const std::function<Outcome<std::size_t>(const std::string& name)>& taken);

}  // namespace gantry::data::sqlite
