// match/geo_shape.hpp: what a query or a document says about places. Internal to match/.
//
// Reading answers nothing for what is no valid shape: a document's is then passed over, a query's
// refused with the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "match/geo_ring.hpp"
#include "values/value.hpp"

namespace gantry::data::match {

struct FlatPoint {
  double x = 0, y = 0;
};

inline bool is_on_earth(const FlatPoint& point) {
  return point.x >= -180 && point.x <= 180 && point.y >= -90 && point.y <= 90;
}

using SphereLine = std::vector<Vec>;

// A shape on the sphere: its parts, and the flat point when it is a single one.
struct Shape {
  std::vector<Vec> points;
  std::vector<SphereLine> lines;
  std::vector<SpherePolygon> polygons;
  std::optional<FlatPoint> flat;
  bool on_sphere = true;  // false: a pair of numbers that is no longitude and latitude
};

// Why reading failed, in words that fit behind "…: ".
using Reason = std::string;

struct ReadShape {
  bool of_query = false;          // the whole text of it is checked; `crs` may ask for big polygons
  bool untyped_is_point = false;  // {coordinates: [x, y]} is a point
};

// GeoJSON or what read_pair() reads. Sets `reason` when it answers nothing.
std::optional<Shape> read_shape(const Value& value, const ReadShape& how, Reason& reason);

// Whether it is Parse's {"__type": "GeoPoint", "latitude": y, "longitude": x}.
bool is_geo_point(const Value& value);

// [x, y], {any: x, name: y} or a GeoPoint; further values are allowed where `more` says so.
std::optional<FlatPoint> read_pair(const Value& value, bool more);

// The elements of an array or the values of an object.
Array items_of(const Value& value);

}  // namespace gantry::data::match
