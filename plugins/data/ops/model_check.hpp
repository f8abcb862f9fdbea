// ops/model_check.hpp: checks the operator's row filters by the rules of a caller's `where`.
//
// Reads samples of the classes that have one. Any thread; throws nothing.
#pragma once

#include <map>
#include <string>

#include "ops/request.hpp"
#include "view/scope.hpp"

namespace gantry::data {

// Why a filter is refused, by class; classes with a valid filter are not in it.
std::map<std::string, std::string> refused_canonical_filters(const CatalogPtr& catalog);

// Of the filters by class that the request's agent has: meta {absent [class], faults ["CLASS:
// why"]}, for operators alone. Default filters need not fit every class.
Reply check_agent_filters(const Request& request);

}  // namespace gantry::data
