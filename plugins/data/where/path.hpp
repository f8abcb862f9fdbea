// where/path.hpp: the values a dotted path leads to, with MongoDB's implicit array traversal.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "where/values.hpp"

namespace gantry::data::where {

using Path = std::span<const std::string>;

// "a.b.c" as its names; a name may be empty, so "" is one.
std::vector<std::string> split_path(std::string_view path);

// Told each value found; missing where an object lacks the member or a scalar is in the way. True
// ends the walk.
using Visit = std::function<bool(const View&)>;

// Walks `path` below `root` and says whether a visit ended it. Every array on the way is
// traversed, a number in the path also names an element. At the path's end an array is visited
// element by element and then whole, or only whole when `whole_arrays`.
bool walk(const View& root, Path path, bool whole_arrays, const Visit& visit);

// As walk() for a root that is an array standing for an object whose names are its positions.
bool walk_positions(const Json& array, Path path, bool whole_arrays, const Visit& visit);

}  // namespace gantry::data::where
