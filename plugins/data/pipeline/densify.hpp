// pipeline/densify.hpp: the options of $densify, and the documents it makes for one partition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/dates/date_units.hpp"
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

  // Refuses values other than numbers, or dates if there is a unit. The caller handles null and
  // missing.
  void check_type(const Value& value) const;
  // `value` plus `steps` steps.
  Value after(const Value& value, std::int64_t steps) const;
};

// Parses the operand of $densify.
DensifyPlan read_densify(std::string_view name, const Value& spec);

}  // namespace gantry::data::pipeline
