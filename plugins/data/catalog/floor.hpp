// catalog/floor.hpp: the names that no agent sees unless the model opens one of them by name. Any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

// True for names of internal columns, compared without ASCII case, as SQLite compares column names,
// and for the prefix `_auth_data_`.
bool is_internal_field(std::string_view name);

// Sets the operator's own names of internal columns, which are compared in the same way. They hold
// in every function that sees stored bytes, so they belong to the process: call before a database
// is opened, on one thread.
void set_internal_fields(std::vector<std::string> names);

// Whether a model's "allow_internal" can make the column ordinary data: password and its kin, which
// may be no secret in some table (a guest network's, for example).
bool may_be_allowed(std::string_view name);

// For bytes that are not valid JSON: whether they contain an internal name, or an escape that could
// encode one. Such bytes are withheld completely.
bool may_name_internal(std::string_view bytes);

// True for tables that are no classes by themselves: sqlite_*, _gantry_*, migration tables, … A
// model opens one by "hidden": false, except those of is_store_class(): sqlite_* and _gantry_*.
bool is_hidden_class(std::string_view name);
bool is_store_class(std::string_view name);

}  // namespace gantry::data
