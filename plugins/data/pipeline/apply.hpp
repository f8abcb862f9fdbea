// pipeline/apply.hpp: applies an expression operator to two values, for stages with the arithmetic
// of expressions.
#pragma once

#include <array>
#include <string_view>

#include "expr/registry.hpp"

namespace gantry::data::pipeline {

// `op` is an operator with two operands: "$add".
inline Value apply(std::string_view op, const Value& a, const Value& b) {
  expr::Context context;
  const std::array<Value, 2> operands = {a, b};
  return expr::find_operator(op).function->call(expr::Arguments(operands), context);
}

}  // namespace gantry::data::pipeline
