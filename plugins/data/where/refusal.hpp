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

// `name` is no field this caller may use: says so with the nearest visible names, or, for names on
// the floor of internal columns, without a word on whether it exists.
[[noreturn]] void refuse_field(std::string_view name, const ClassInfo& cls, const Scope& scope);

// `name` is no class this caller may open.
[[noreturn]] void refuse_class(std::string_view name, const Scope& scope);

// `name` begins with '$' and may not stand where it does.
[[noreturn]] void refuse_operator(std::string_view name);

}  // namespace gantry::data::where
