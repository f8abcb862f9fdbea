// expr/named_operands.hpp: splits {name: operand, …} of forms before the operands are parsed.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "errors/query_error.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {

// The members of `operand` in the order of `parameters`; missing if absent. Refuses values other
// than objects, unknown names, and missing required ones.
template <std::size_t kCount>
std::array<Value, kCount> named_operands(std::string_view op, const Value& operand,
                                         const std::array<Parameter, kCount>& parameters) {
  if (!operand.is_object()) refuse_type(op, "an object of arguments", operand);
  std::array<Value, kCount> found;
  for (const Member& member : operand.members()) {
    std::size_t i = 0;
    while (i < kCount && parameters[i].name != member.name) ++i;
    if (i == kCount) {
      throw QueryError(std::string(op) + " has no argument \"" + member.name + "\".");
    }
    found[i] = member.value;
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!parameters[i].required || !found[i].is_missing()) continue;
    throw QueryError(std::string(op) + " needs its argument \"" + std::string(parameters[i].name) +
                     "\".");
  }
  return found;
}

}  // namespace gantry::data::expr
