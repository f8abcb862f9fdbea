// filter/geo/geo_flat.hpp: planar shapes, for pairs of numbers. Internal to filter/.
#pragma once

#include <memory>
#include <vector>

#include "filter/geo/geo_shape.hpp"

namespace gantry::data::filter {

class FlatShape {
 public:
  virtual ~FlatShape() = default;
  virtual bool contains(const FlatPoint& point) const = 0;  // the border counts as inside
};
using FlatShapePtr = std::unique_ptr<const FlatShape>;

FlatShapePtr flat_box(const FlatPoint& a, const FlatPoint& b);  // any two opposite corners
FlatShapePtr flat_circle(const FlatPoint& centre, double radius);
FlatShapePtr flat_polygon(std::vector<FlatPoint> corners);

double distance(const FlatPoint& a, const FlatPoint& b);

}  // namespace gantry::data::filter
