// expr/path.hpp: dotted field paths, as expressions follow them.
//
// In an array a path is applied to each element that is an object, and the results are gathered.
// Other elements, nested arrays included, contribute nothing. Numbers in a path are field names,
// never array indexes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::expr {

// Splits "a.b" into its names. Refuses empty names, names that begin with $ (except $id, $ref and
// $db), NUL bytes and more than 200 names; the message quotes `text`.
std::vector<std::string> split_path(std::string_view text);

// Checks one name of an object that an expression makes: the same rules, and no dots.
void check_field_name(std::string_view name);

// The value that `names` lead to from `start`; missing if there is none.
Value value_at(const Value& start, std::span<const std::string> names);

}  // namespace gantry::data::expr
