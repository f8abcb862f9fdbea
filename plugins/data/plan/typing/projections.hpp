// plan/typing/projections.hpp: a $project in the names and types of its documents.
#pragma once

#include "plan/typing/expressions.hpp"

namespace gantry::data::typing {

struct Projected {
  Value spec;
  TypePtr documents;
};

// `spec` is an object with members. The key of a class stays unless it is excluded, as MongoDB's
// _id does.
Projected project(const Value& spec, const TypePtr& root, const Scope& scope, Joins& joins,
                  const ExpressionTyper& expressions);

// The document in which the value at a path has another type; null: it is removed.
TypePtr with_path(const TypePtr& object, std::string_view path, TypePtr type);

}  // namespace gantry::data::typing
