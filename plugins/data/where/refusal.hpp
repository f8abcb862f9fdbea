// where/refusal.hpp: how a compilation ends early. Thrown inside where/ only; the public functions
// turn it into their Outcome.
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

// invalid_query with this sentence.
[[noreturn]] void refuse(std::string message);

// `name`, a field or a path that begins with one, is none this caller may use: says so with the
// nearest visible names, or, for names on the floor of internal columns, without a word on whether
// it exists.
[[noreturn]] void refuse_field(std::string_view name, const ClassInfo& cls, const Scope& scope);

// `path` names a column of `cls` whose name has dots: a path cannot.
[[noreturn]] void refuse_dotted(std::string_view path, const ClassInfo& cls);

// `name` is no class this caller may open.
[[noreturn]] void refuse_class(std::string_view name, const Scope& scope);

// `name` begins with '$' and may not stand where it does.
[[noreturn]] void refuse_operator(std::string_view name);

}  // namespace gantry::data::where
