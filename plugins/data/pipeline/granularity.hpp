// pipeline/granularity.hpp: series of preferred numbers that $bucketAuto rounds boundaries to.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::pipeline {

// Rounds to the next number of its series, strictly up or down; 0 stays 0. Numbers must not be
// negative. Immutable.
class Granularity {
 public:
  // Accepts "R5" to "R80", "1-2-5", "E6" to "E192" and "POWERSOF2"; refuses other names.
  explicit Granularity(std::string_view name);
  Value round_up(double number) const;
  Value round_down(double number) const;

 private:
  std::vector<double> series_;  // one decade; empty: powers of two
};

}  // namespace gantry::data::pipeline
