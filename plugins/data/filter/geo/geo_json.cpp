// Parses GeoJSON and pairs of numbers into shapes.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "filter/geo/geo_shape.hpp"

namespace gantry::data::filter {
namespace {

constexpr std::size_t kMostChecked = 2'000;  // edges of a ring that are checked pairwise

class Reader {
 public:
  Reader(const ReadShape& how, Reason& reason) : how_(how), reason_(reason) {}

  bool read(const Value& json, Shape& shape);

 private:
  bool fail(const char* why) {
    reason_ = why;
    return false;
  }
  bool typed(std::string_view type, const Value& json, Shape& shape);
  bool coordinates(std::string_view type, const Value& coordinates, Shape& shape);
  bool crs(std::string_view type, const Value& crs);

  bool place(const Value& json, FlatPoint& point);
  bool point(const Value& json, Shape& shape);
  bool places(const Value& json, std::vector<Vec>& vertices);
  bool line(const Value& json, Shape& shape);
  bool ring(const Value& json, std::vector<Vec>& vertices);
  bool polygon(const Value& json, Shape& shape);
  bool holes_fit(const SpherePolygon& polygon);
  bool holes_apart(const SpherePolygon& polygon);
  bool collection(const Value& geometries, Shape& shape);
  bool each(const Value& json, bool (Reader::*read_one)(const Value&, Shape&), Shape& shape);

  const ReadShape& how_;
  Reason& reason_;
  bool big_ = false;
};

bool same(const Vec& a, const Vec& b) { return length(a - b) < 1e-15; }
bool opposite(const Vec& a, const Vec& b) { return length(a + b) < kTouch; }

bool has_twins(const std::vector<Vec>& vertices) {
  std::vector<std::array<double, 3>> sorted;
  sorted.reserve(vertices.size());
  for (const Vec& vertex : vertices) sorted.push_back({vertex.x, vertex.y, vertex.z});
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

bool Reader::place(const Value& json, FlatPoint& point) {
  const auto pair = read_pair(json, true);
  if (!pair) return fail("a position is [longitude, latitude]");
  if (!is_on_earth(*pair)) {
    return fail("a longitude is from -180 to 180 and a latitude from -90 to 90");
  }
  point = *pair;
  return true;
}

bool Reader::point(const Value& json, Shape& shape) {
  FlatPoint flat;
  if (!place(json, flat)) return false;
  shape.points.push_back(on_sphere(flat.x, flat.y));
  shape.flat = flat;
  return true;
}

bool Reader::places(const Value& json, std::vector<Vec>& vertices) {
  if (!json.is_array()) return fail("coordinates of lines and rings are arrays of positions");
  for (const Value& one : json.elements()) {
    Spending::step_current();
    FlatPoint flat;
    if (!place(one, flat)) return false;
    const Vec vertex = on_sphere(flat.x, flat.y);
    if (!vertices.empty() && opposite(vertices.back(), vertex)) {
      return fail("between positions opposite each other on the globe there is no shortest way");
    }
    if (vertices.empty() || !same(vertices.back(), vertex)) vertices.push_back(vertex);
  }
  return true;
}

bool Reader::line(const Value& json, Shape& shape) {
  SphereLine vertices;
  if (!places(json, vertices)) return false;
  if (json.elements().size() < 2 || vertices.size() < 2) {
    return fail("a LineString has at least two different positions");
  }
  shape.lines.push_back(std::move(vertices));
  return true;
}

bool Reader::ring(const Value& json, std::vector<Vec>& vertices) {
  if (!places(json, vertices)) return false;
  if (json.elements().size() < 4) return fail("a ring has at least four positions");
  if (!same(vertices.front(), vertices.back())) {
    return fail("a ring ends with the position it begins with");
  }
  vertices.pop_back();
  if (vertices.size() < 3) return fail("a ring has at least three different positions");
  if (has_twins(vertices)) return fail("a ring passes each of its positions once");
  if (vertices.size() > kMostChecked) return true;
  return is_simple(vertices) || fail("the edges of a ring may not cross");
}

bool share_edge(const Ring& a, const Ring& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      step_at(j);
      const Vec &from = b.vertex(j), &to = b.vertex(j + 1);
      if (same(a.vertex(i), from) && same(a.vertex(i + 1), to)) return true;
      if (same(a.vertex(i), to) && same(a.vertex(i + 1), from)) return true;
    }
  }
  return false;
}

// Whether a vertex of `a` lies inside `b`, not on its border.
bool enters(const Ring& a, const Ring& b) {
  return std::any_of(a.vertices().begin(), a.vertices().end(), [&](const Vec& vertex) {
    return !b.has_on_border(vertex) && b.has_inside(vertex);
  });
}

bool overlap(const Ring& a, const Ring& b) {
  return borders_cross(a, b) || share_edge(a, b) || enters(a, b) || enters(b, a);
}

// Holes may touch each other in points.
bool Reader::holes_apart(const SpherePolygon& polygon) {
  for (std::size_t i = 1; i < polygon.rings.size(); ++i) {
    for (std::size_t j = 1; j < i; ++j) {
      if (overlap(polygon.rings[i], polygon.rings[j])) {
        return fail("the holes of a Polygon may neither overlap nor share an edge");
      }
    }
  }
  return true;
}

bool Reader::holes_fit(const SpherePolygon& polygon) {
  const Ring& outer = polygon.rings.front();
  for (std::size_t i = 1; i < polygon.rings.size(); ++i) {
    const Ring& hole = polygon.rings[i];
    const bool inside = std::all_of(
        hole.vertices().begin(), hole.vertices().end(),
        [&](const Vec& vertex) { return outer.has_on_border(vertex) || outer.has_inside(vertex); });
    if (!inside || borders_cross(outer, hole) || share_edge(outer, hole)) {
      return fail("the rings of a Polygon after the first lie inside it");
    }
  }
  return holes_apart(polygon);
}

bool Reader::polygon(const Value& json, Shape& shape) {
  if (!json.is_array() || json.elements().empty()) {
    return fail("coordinates of a Polygon are an array of rings");
  }
  if (big_ && json.elements().size() > 1) return fail("a Polygon with this crs has one ring");
  SpherePolygon polygon;
  for (const Value& one : json.elements()) {
    std::vector<Vec> vertices;
    if (!ring(one, vertices)) return false;
    polygon.rings.emplace_back(std::move(vertices), big_);
  }
  if (!holes_fit(polygon)) return false;
  shape.polygons.push_back(std::move(polygon));
  return true;
}

bool Reader::each(const Value& json, bool (Reader::*read_one)(const Value&, Shape&), Shape& shape) {
  if (!json.is_array() || json.elements().empty()) {
    return fail("coordinates of a Multi… shape are a non-empty array");
  }
  for (const Value& one : json.elements()) {
    if (!(this->*read_one)(one, shape)) return false;
  }
  shape.flat.reset();
  return true;
}

bool Reader::collection(const Value& geometries, Shape& shape) {
  if (!geometries.is_array() || geometries.elements().empty()) {
    return fail("geometries of a GeometryCollection are a non-empty array");
  }
  for (const Value& one : geometries.elements()) {
    const Value& type = one.find("type");
    if (!type.is_string() || type.text() == "GeometryCollection") {
      return fail("geometries of a GeometryCollection have a type each and are no collections");
    }
    if (!typed(type.text(), one, shape)) return false;
  }
  shape.flat.reset();
  return true;
}

bool Reader::coordinates(std::string_view type, const Value& json, Shape& shape) {
  if (type == "Point") return point(json, shape);
  if (type == "LineString") return line(json, shape);
  if (type == "Polygon") return polygon(json, shape);
  if (type == "MultiPoint") return each(json, &Reader::point, shape);
  if (type == "MultiLineString") return each(json, &Reader::line, shape);
  if (type == "MultiPolygon") return each(json, &Reader::polygon, shape);
  return fail("its type is none of Point, LineString, Polygon, Multi… and GeometryCollection");
}

bool Reader::crs(std::string_view type, const Value& crs) {
  constexpr const char* kWhy = "its crs is none that is known";
  if (crs.is_missing()) return true;
  const Value& name = crs.find("properties").find("name");
  if (!crs.find("type").is_string() || crs.find("type").text() != "name" || !name.is_string()) {
    return fail(kWhy);
  }
  if (name.text() == "urn:ogc:def:crs:OGC:1.3:CRS84" || name.text() == "EPSG:4326") return true;
  if (name.text() != "urn:x-mongodb:crs:strictwinding:EPSG:4326" || type != "Polygon") {
    return fail(kWhy);
  }
  big_ = true;
  return true;
}

bool Reader::typed(std::string_view type, const Value& json, Shape& shape) {
  if (!crs(type, json.find("crs"))) return false;
  if (type == "GeometryCollection") return collection(json.find("geometries"), shape);
  return coordinates(type, json.find("coordinates"), shape);
}

bool Reader::read(const Value& json, Shape& shape) {
  const Value& type = json.find("type");
  if (type.is_string()) return typed(type.text(), json, shape);
  const bool untyped = type.is_missing() && !json.find("coordinates").is_missing();
  if (untyped && how_.untyped_is_point) return typed("Point", json, shape);
  const auto pair = untyped ? std::nullopt : read_pair(json, !how_.of_query);
  if (!pair) return fail("it is neither GeoJSON nor a pair of numbers");
  shape.flat = *pair;
  shape.on_sphere = is_on_earth(*pair);
  if (shape.on_sphere) shape.points.push_back(on_sphere(pair->x, pair->y));
  return true;
}

}  // namespace

Array items_of(const Value& value) {
  if (value.is_array()) return value.elements();
  Array values;
  if (value.is_object()) {
    for (const Member& member : value.members()) values.push_back(member.value);
  }
  return values;
}

bool is_geo_point(const Value& value) {
  const Value& type = value.find("__type");
  return type.is_string() && type.text() == "GeoPoint";
}

std::optional<FlatPoint> read_pair(const Value& value, bool more) {
  const Array items = is_geo_point(value) ? Array{value.find("longitude"), value.find("latitude")}
                                          : items_of(value);
  if (items.size() < 2 || (items.size() > 2 && !more)) return std::nullopt;
  if (!items[0].is_number() || !items[1].is_number()) return std::nullopt;
  const FlatPoint point{items[0].number(), items[1].number()};
  if (!std::isfinite(point.x) || !std::isfinite(point.y)) return std::nullopt;
  return point;
}

std::optional<Shape> read_shape(const Value& value, const ReadShape& how, Reason& reason) {
  Shape shape;
  if (!value.is_array() && !value.is_object()) {
    reason = "it is neither an object nor an array";
    return std::nullopt;
  }
  if (!Reader(how, reason).read(value, shape)) return std::nullopt;
  return shape;
}

}  // namespace gantry::data::filter
