// match/near.hpp: the $near or $nearSphere of a filter, for whoever has to put the nearest first.
//
// parse_condition() lets through what lies within $minDistance and $maxDistance and leaves the
// order alone. A pipeline's $match may hold none.
#pragma once

#include <memory>
#include <optional>

#include "values/value.hpp"

namespace gantry::data::match {

class Near {
 public:
  virtual ~Near() = default;
  // From the point to the nearest place at the operator's field, in its unit: metres for GeoJSON,
  // radians for $nearSphere of a pair, else the pair's own. Nothing when there is no place.
  virtual std::optional<double> distance(const Value& document) const = 0;
};

// The one of `filter`, at its top or in $and there; null when there is none. Throws QueryError as
// parse_condition() does for an operand that cannot be.
std::unique_ptr<const Near> near_of(const Value& filter);

}  // namespace gantry::data::match
