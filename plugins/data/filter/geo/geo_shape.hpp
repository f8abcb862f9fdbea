// filter/geo/geo_shape.hpp: the shapes that queries and documents contain. Internal to filter/.
//
// Parsing returns nothing for an invalid shape: such a document does not match, and such a query is
// refused with the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filter/geo/geo_ring.hpp"
#include "values/value.hpp"

namespace gantry::data::filter {

struct FlatPoint {
  double x = 0, y = 0;
};

inline bool is_on_earth(const FlatPoint& point) {
  return point.x >= -180 && point.x <= 180 && point.y >= -90 && point.y <= 90;
}

using SphereLine = std::vector<Vec>;

// A shape on the sphere: its parts, and the planar point if it is a single point.
struct Shape {
  std::vector<Vec> points;
  std::vector<SphereLine> lines;
  std::vector<SpherePolygon> polygons;
  std::optional<FlatPoint> flat;
  bool on_sphere = true;  // false: a pair of numbers that is not a valid longitude and latitude
};

// The reason of a parse error, for use after "…: ".
using Reason = std::string;

struct ReadShape {
  bool of_query = false;          // all of it is validated; `crs` may allow big polygons
  bool untyped_is_point = false;  // {coordinates: [x, y]} is a point
};

// GeoJSON, or a form that read_pair() accepts. Sets `reason` when it returns nothing.
std::optional<Shape> read_shape(const Value& value, const ReadShape& how, Reason& reason);

// Whether it is Parse's {"__type": "GeoPoint", "latitude": y, "longitude": x}.
bool is_geo_point(const Value& value);

// [x, y], {any: x, name: y} or a GeoPoint; further values are allowed where `more` says so.
std::optional<FlatPoint> read_pair(const Value& value, bool more);

// The elements of an array or the values of an object.
Array items_of(const Value& value);

}  // namespace gantry::data::filter
