// where/refusal.hpp: the exception that ends a compilation. Used inside where/ only; the public
// functions convert it to an Outcome.
#pragma once

#include <string>
#include <utility>

#include "catalog/catalog.hpp"
#include "policy/error.hpp"
#include "policy/scope.hpp"

namespace gantry::data::where {

struct Refusal {
  DataError error;
};

// Throws invalid_query with this sentence.
[[noreturn]] void refuse(std::string message);

// Refuses a field, or a path that begins with one, that the caller may not use. The error lists the
// nearest visible names. For an internal name it does not reveal whether the field exists.
[[noreturn]] void refuse_field(std::string_view name, const ClassInfo& cls, const Scope& scope);

// Refuses a path that begins with a column name containing dots: paths cannot refer to such a
// column.
[[noreturn]] void refuse_dotted(std::string_view path, const ClassInfo& cls);

// Refuses a use of a pointer that the scope redacts.
[[noreturn]] void refuse_redacted(std::string_view name);

// Refuses a class that the caller may not open.
[[noreturn]] void refuse_class(std::string_view name, const Scope& scope);

// Refuses an operator that is unknown or not allowed in this place.
[[noreturn]] void refuse_operator(std::string_view name);

}  // namespace gantry::data::where
