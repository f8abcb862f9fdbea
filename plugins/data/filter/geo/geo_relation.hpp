// filter/geo/geo_relation.hpp: containment, intersection and distance of spherical shapes. Internal
// to filter/.
#pragma once

#include "filter/geo/geo_shape.hpp"

namespace gantry::data::filter {

// Whether each part of `inner` lies in one polygon of `outer`, its border included.
bool contains(const Shape& outer, const Shape& inner);
// Polygons that only touch do not intersect; all other touching shapes do.
bool intersects(const Shape& a, const Shape& b);
// Radians from the point to the nearest point of the shape; 0 inside its polygons.
double angle_to(const Shape& shape, const Vec& p);

// A circle on the sphere; a radius of more than pi covers all of it.
struct Cap {
  Vec centre;
  double radius = 0;  // radians
};
bool contains(const Cap& cap, const Shape& inner);

}  // namespace gantry::data::filter
