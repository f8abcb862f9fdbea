// sql/compose.hpp: AND, OR and NOT of predicates, for every caller that has a tree of conditions.
//
// Pure functions; any thread.
#pragma once

#include <vector>

#include "sql/predicate.hpp"

namespace gantry::data {

// True for no parts.
Predicate all_of(std::vector<Predicate> parts);
// False for no parts.
Predicate any_of(const std::vector<Predicate>& parts);
// True for rows where `part` is false or NULL.
Predicate none_of(const Predicate& part);

}  // namespace gantry::data
