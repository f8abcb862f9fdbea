// ops/operations.hpp: the reading operations of gantry.data/1 by name. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "errors/error.hpp"
#include "ops/request.hpp"
#include "policy/row_rules.hpp"

namespace gantry::data {

// What class permissions it needs, and which choice it has of the classes' canonical filters.
enum class Canonical : std::uint8_t { applied, optional, ignored };
struct NamedOperation {
  std::string_view name;
  Reply (*run)(const Request&);
  ClassOp op = ClassOp::find;
  Canonical canonical = Canonical::applied;
};

// Null: there is none of that name.
const NamedOperation* find_operation(std::string_view name);
// The error of a name that is no operation.
DataError unknown_operation();

// The part of the scope that the operation and its arguments decide.
void narrow(const NamedOperation& operation, Request& request);

}  // namespace gantry::data
