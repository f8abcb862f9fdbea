// gantry/schema/nearest.hpp: finds the known name that a misspelt one probably means.
//
// With the names "where" and "limit": nearest("limt") is "limit", nearest("Where") and
// nearest("whree") are "where", nearest("x") is empty.
//
// For refusals that repair: "unknown property 'wher'; did you mean 'where'?". The cost is the
// number of candidates times the product of the lengths, so offer some hundreds at most. Pure
// functions; they own and keep nothing. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gantry::schema {

// The number of single edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`,
// or `limit + 1` if it exceeds `limit`. Counted in bytes. Words longer than 64 bytes are near only
// to themselves.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The candidate nearest to `word`; empty if none is near: more than a third of the word would have
// to change. Case and '_' or '-' are ignored, so "className" finds "class_name". The first of
// equally near candidates is returned. The result refers to `candidates`.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string> candidates);

}  // namespace gantry::schema
