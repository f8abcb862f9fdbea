// gantry/schema/nearest.hpp: which known name was probably meant.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gantry::schema {

// How many single edits (insert, delete, replace, swap of neighbours) turn `a` into `b`, or
// `limit + 1` when it takes more than `limit`. Counted in bytes. Words longer than 64 bytes are
// never near anything but themselves.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The candidate nearest to `word`, or nothing when none is near enough to be what was meant: more
// than a third of the word would have to change. Case and '_' or '-' count for nothing, so
// "className" finds "class_name". Of equally near ones the first wins. The result points into
// `candidates`.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string> candidates);

}  // namespace gantry::schema
