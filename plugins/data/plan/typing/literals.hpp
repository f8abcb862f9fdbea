// plan/typing/literals.hpp: a caller's literal beside a value of a known type. Pure.
#pragma once

#include <string>
#include <string_view>

#include "plan/typing/type.hpp"
#include "plan/typing/warnings.hpp"

namespace gantry::data::typing {

// The literal as values of the type are: ISO text beside a date becomes the date, an id in another
// form beside a key becomes the key. Everything else is unchanged.
Value converted(const Value& literal, const Type& type);

// Whether values of the type may be texts, so that a text may be a mistaken one.
bool may_hold_texts(const Type& type);

// Whether values of two types are never equal and never ordered.
bool never_compare(const Type& a, const Type& b);

// Adds a warning if comparing a value of `type` with `literal`, as the caller wrote it, by `op`
// surely was not meant. `name`: the compared field or expression, for the sentence.
void warn_of_literal(std::string_view name, const Type& type, std::string_view op,
                     const Value& literal, Warnings& warnings);

// The same for two values that are no literals.
void warn_of_types(std::string_view a_name, const Type& a, std::string_view b_name, const Type& b,
                   Warnings& warnings);

}  // namespace gantry::data::typing
