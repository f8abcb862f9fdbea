// where/evaluate.hpp: tests a stored value in C++, by MongoDB's rules.
#pragma once

#include <memory>

#include "sql/matcher.hpp"
#include "where/node.hpp"

namespace gantry::data::where {

// Whether `root` satisfies `node`; paths of its leaves begin below `root`. `node` must not contain
// finished SQL, which occurs only at the root of a class.
bool passes(const Node& node, const View& root);

// A matcher for one leaf over the leaf's column.
std::shared_ptr<const Matcher> make_matcher(const Leaf& leaf, const SourcePtr& source);

}  // namespace gantry::data::where
