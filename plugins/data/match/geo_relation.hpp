// match/geo_relation.hpp: how shapes on the sphere lie to each other. Internal to match/.
#pragma once

#include "match/geo_shape.hpp"

namespace gantry::data::match {

// Whether each part of `inner` lies in one polygon of `outer`, its border included.
bool contains(const Shape& outer, const Shape& inner);
// Polygons that only touch have nothing in common; everything else that touches has.
bool intersects(const Shape& a, const Shape& b);
// Radians from the point to the nearest of the shape; 0 in its polygons.
double angle_to(const Shape& shape, const Vec& p);

// A circle on the sphere; one of more than half a turn is all of it.
struct Cap {
  Vec centre;
  double radius = 0;  // radians
};
bool contains(const Cap& cap, const Shape& inner);

}  // namespace gantry::data::match
