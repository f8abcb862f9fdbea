// filter/columns/refusal.hpp: errors about classes and fields, with the names that the caller may
// use. All of them throw QueryError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "values/value.hpp"
#include "view/scope.hpp"

namespace gantry::data::columns {

// The first 20 names, and how many more there are.
std::string listed(const std::vector<std::string>& names);

// Throws invalid_query with this sentence.
[[noreturn]] void refuse(std::string message);

// Refuses a field, or a path that begins with one, that the caller may not use. The error lists the
// nearest visible names. For an internal name it does not reveal whether the field exists.
[[noreturn]] void refuse_field(std::string_view name, const ClassView& cls);
// The same for documents of no class.
[[noreturn]] void refuse_field(std::string_view name);

// Refuses a path that begins with a column name containing dots: paths cannot refer to such a
// column.
[[noreturn]] void refuse_dotted(std::string_view path, const ClassView& cls);

// Refuses {"eq": 5} in place of {"$eq": 5} beside a field that holds no objects.
void refuse_operator_without_sign(std::string_view field, const Value& operand);

// Refuses a use of a pointer that is redacted.
[[noreturn]] void refuse_redacted(std::string_view name);

// Refuses a class that the caller may not open.
[[noreturn]] void refuse_class(std::string_view name, const Scope& scope);

// Refuses a visible class whose rows the agent may not read: its permissions do not allow the
// operation, or it is read within a tenant and the agent has none.
void refuse_unreadable(const ClassView& cls);

}  // namespace gantry::data::columns
