// ops/model_check.hpp: checks a model's canonical filters by the rules of a caller's `where`.
//
// Reads samples of the classes that have one. Any thread; throws nothing.
#pragma once

#include <map>
#include <string>

#include "view/scope.hpp"

namespace gantry::data {

// Why a filter is refused, by class; classes with a valid filter are not in it.
std::map<std::string, std::string> refused_canonical_filters(const CatalogPtr& catalog);

}  // namespace gantry::data
