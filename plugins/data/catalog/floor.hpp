// catalog/floor.hpp: the names that no agent sees unless the model opens one of them by name. Pure
// functions; any thread.
#pragma once

#include <string_view>

namespace gantry::data {

// True for names of internal columns, compared without ASCII case, as SQLite compares column names,
// and for the prefix `_auth_data_`.
bool is_internal_field(std::string_view name);

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
