// pipeline/apply.hpp: an expression operator over two values, for stages that compute as
// expressions do.
#pragma once

#include <array>
#include <string_view>

#include "expr/registry.hpp"

namespace gantry::data::pipeline {

// `op` is a function of two values: "$add".
inline Value apply(std::string_view op, const Value& a, const Value& b) {
  expr::Context context;
  const std::array<Value, 2> operands = {a, b};
  return expr::find_operator(op).function->call(expr::Arguments(operands), context);
}

}  // namespace gantry::data::pipeline
