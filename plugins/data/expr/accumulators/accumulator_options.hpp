// expr/accumulators/accumulator_options.hpp: the options of accumulators that take an object: {n,
// input, …}.
//
// Shared by the accumulators and the expressions of the same name. Pure functions; any thread.
// Errors are thrown as QueryError.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "expr/accumulators/accumulator.hpp"
#include "expr/accumulators/gather_numbers.hpp"

namespace gantry::data::expr {

// The members of `spec` in the order of `names`. Refuses unknown and missing options.
Array read_options(std::string_view op, const Value& spec, std::span<const std::string_view> names);

// The number of requested values: a whole number above zero.
std::size_t read_count(std::string_view op, const Value& n);

// {input, p, method} of $percentile and {input, method} of $median.
struct QuantileOptions {
  ExpressionPtr input;
  std::vector<double> shares;
  Quantiles::Shape shape;

  Quantiles start() const { return {shares, shape}; }
};
QuantileOptions read_quantiles(std::string_view op, const Value& spec, Variables& variables);

}  // namespace gantry::data::expr
