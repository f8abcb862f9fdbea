// pipeline/densify.hpp: what $densify was told, and the documents it makes for one partition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/date_units.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

struct DensifyPlan {
  enum class Bounds { full, partition, range };

  Path field;
  std::vector<Path> partition_fields;
  Bounds bounds = Bounds::full;
  Value low, high;  // of a range: [low, high)
  Value step;
  std::optional<expr::Unit> unit;

  // Refuses all but numbers, or dates where there is a unit; null and missing are for the caller.
  void check_type(const Value& value) const;
  // `value` and `steps` steps.
  Value after(const Value& value, std::int64_t steps) const;
};

// Reads the operand of $densify.
DensifyPlan read_densify(std::string_view name, const Value& spec);

}  // namespace gantry::data::pipeline
