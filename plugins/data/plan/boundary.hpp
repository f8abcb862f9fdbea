// plan/boundary.hpp: compiles the conditions of row rules over all columns of a class.
//
// One compiler for the filters of agents, the tenant, row ACLs, owners and canonical filters. A
// typed class gets SQL where it says the filter exactly, else a matcher of the row; a document
// class a matcher of the stored document. What is NULL, cannot be read or fails on a row is false
// for that row, and a filter that does not fit the class is false for all. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "view/scope.hpp"

namespace gantry::data {

class Dialect;

// `dialect` outlives it. `warn` gets a sentence for the operator's log about each filter that does
// not fit its class, once.
using Warn = std::function<void(const std::string& sentence)>;
std::unique_ptr<const RowCompiler> row_compiler(const Dialect& dialect, Warn warn = {});

}  // namespace gantry::data
