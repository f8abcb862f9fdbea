// expr/path.hpp: dotted field paths as expressions follow them.
//
// Through an array a path goes into each element that is an object and gathers what it finds; an
// element that is no object, an array in an array too, contributes nothing. Numbers in a path are
// names of fields, never places in an array.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::expr {

// "a.b" as its names. Refuses empty names, names that begin with $ (but $id, $ref and $db), NUL
// bytes and more than 200 names: the message quotes `text`.
std::vector<std::string> split_path(std::string_view text);

// One name of an object that an expression makes: as above, without dots.
void check_field_name(std::string_view name);

// What `names` lead to from `start`; missing when they lead nowhere.
Value value_at(const Value& start, std::span<const std::string> names);

}  // namespace gantry::data::expr
