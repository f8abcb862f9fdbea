// policy/internal.hpp: the floor of internal names inside of values: stored JSON and documents.
//
// What is_internal_field() names is not there for anybody, at any depth of an object. Pure
// functions; any thread. Large values take steps of the query of the thread.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data {

// Whether one of the names of a dotted path is internal.
bool names_internal(std::string_view path);

// Whether bytes that nobody can read as JSON hold an internal name, or an escape that may be one:
// they are not shown then, not even in part.
bool may_name_internal(std::string_view bytes);

// Takes members with internal names out, at any depth.
void drop_internal(Value& value);
void drop_internal(rapidjson::Value& json);  // of any depth: does not recurse

// The same for valid JSON text, of which the rest stays as it is written; nothing when it holds no
// such member.
std::optional<std::string> without_internal(std::string_view json);

}  // namespace gantry::data
