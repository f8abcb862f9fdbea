// where/path.hpp: finds the values at a dotted path, with MongoDB's implicit array traversal.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "where/values.hpp"

namespace gantry::data::where {

using Path = std::span<const std::string>;

// Splits "a.b.c" into its names; a name may be empty, so "" is one name.
std::vector<std::string> split_path(std::string_view path);

// Called for each value; missing if an object lacks the member or a scalar blocks the path. Return
// true to end the walk.
using Visit = std::function<bool(const View&)>;

// Walks `path` below `root`; returns whether a visit ended the walk. Arrays on the path are
// traversed; a number in the path is also an array index. An array at the path's end is visited
// element by element and then as a whole, or only as a whole if `whole_arrays`.
bool walk(const View& root, Path path, bool whole_arrays, const Visit& visit);

// walk() for an array that is treated as an object whose member names are the indexes.
bool walk_positions(const Json& array, Path path, bool whole_arrays, const Visit& visit);

}  // namespace gantry::data::where
