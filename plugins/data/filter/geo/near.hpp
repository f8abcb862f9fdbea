// filter/geo/near.hpp: the $near or $nearSphere of a filter, for code that sorts by distance.
//
// parse_condition() only tests $minDistance and $maxDistance; it does not sort. The $match of a
// pipeline must not contain these operators.
#pragma once

#include <memory>
#include <optional>

#include "values/value.hpp"

namespace gantry::data::filter {

class Near {
 public:
  virtual ~Near() = default;
  // The distance from the point to the nearest place at the operator's field: metres for GeoJSON,
  // radians for $nearSphere of a pair, otherwise in the pair's own unit. Empty if there is no
  // place.
  virtual std::optional<double> distance(const Value& document) const = 0;
};

// The operator at the top of `filter` or in an $and there; null if there is none. Throws the
// QueryErrors of parse_condition() for an invalid operand.
std::unique_ptr<const Near> near_of(const Value& filter);

}  // namespace gantry::data::filter
