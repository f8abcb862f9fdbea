// catalog/floor.hpp: the names that no agent ever sees, whatever the model says. Pure functions;
// any thread.
#pragma once

#include <string_view>

namespace gantry::data {

// True for names of internal columns, compared without ASCII case, as SQLite compares column names,
// and for the prefix `_auth_data_`.
bool is_internal_field(std::string_view name);

// For bytes that are not valid JSON: whether they contain an internal name, or an escape that could
// encode one. Such bytes are withheld completely.
bool may_name_internal(std::string_view bytes);

// True for tables that are never classes: sqlite_*, _gantry_*, migration tables, …
bool is_hidden_class(std::string_view name);

}  // namespace gantry::data
