// where/evaluate.hpp: whether a stored value passes, decided in C++ by MongoDB's rules.
#pragma once

#include <memory>

#include "sql/matcher.hpp"
#include "where/node.hpp"

namespace gantry::data::where {

// Whether `root` passes `node`; paths of its leaves begin below `root`. Finished SQL never
// occurs here: it stands at a class's root only.
bool passes(const Node& node, const View& root);

// A matcher for one leaf over the leaf's column.
std::shared_ptr<const Matcher> make_matcher(const Leaf& leaf, const SourcePtr& source);

}  // namespace gantry::data::where
