#include "filter/geo/geo_ring.hpp"

#include <algorithm>

namespace gantry::data::filter {
namespace {

constexpr double kNoArea = 1e-14;

// The distance in radians of a test point beside an edge: the smallest one for which its side is
// numerically certain.
double distance_beside(double edge) { return std::min(std::max(1e-10, 1e-14 / edge), edge * 0.01); }

}  // namespace

Ring::Ring(std::vector<Vec> vertices, bool as_wound) : vertices_(std::move(vertices)) {
  const double area = signed_area(vertices_);
  if (std::abs(area) < kNoArea) return;
  if (area < 0 && !as_wound) std::reverse(vertices_.begin(), vertices_.end());
  inner_ = beside(0);
}

// A point to the left of an edge's midpoint.
Vec Ring::beside(std::size_t edge) const {
  const Vec& a = vertex(edge);
  const Vec& b = vertex(edge + 1);
  const Vec normal = cross(a, b);
  return unit(unit(a + b) + unit(normal) * distance_beside(length(normal)));
}

bool Ring::has_on_border(const Vec& p) const { return angle_to_border(p) < kTouch; }

double Ring::angle_to_border(const Vec& p) const {
  double least = 4;
  for (std::size_t i = 0; i < size(); ++i) {
    step_at(i);
    least = std::min(least, angle_to_arc(p, vertex(i), vertex(i + 1)));
  }
  return least;
}

std::optional<bool> Ring::crosses_evenly(const Vec& from, const Vec& to) const {
  bool even = true;
  for (std::size_t i = 0; i < size(); ++i) {
    step_at(i);
    const Crossing met = crossing(from, to, vertex(i), vertex(i + 1));
    if (met == Crossing::unclear) return std::nullopt;
    if (met == Crossing::proper) even = !even;
  }
  return even;
}

// Follows an arc from a known inner point and counts the border crossings. If the arc passes
// through a vertex, another arc is tried.
bool Ring::has_inside(const Vec& p) const {
  if (!inner_) return false;
  for (std::size_t i = 0; i < size(); ++i) {
    if (const auto even = crosses_evenly(beside(i), p)) return *even;
  }
  return false;
}

bool SpherePolygon::has_on_border(const Vec& p) const {
  return std::any_of(rings.begin(), rings.end(),
                     [&](const Ring& ring) { return ring.has_on_border(p); });
}

bool SpherePolygon::has_inside(const Vec& p) const {
  if (has_on_border(p) || !rings.front().has_inside(p)) return false;
  return std::none_of(rings.begin() + 1, rings.end(),
                      [&](const Ring& hole) { return hole.has_inside(p); });
}

double SpherePolygon::angle_to(const Vec& p) const {
  if (covers(p)) return 0;
  double least = 4;
  for (const Ring& ring : rings) least = std::min(least, ring.angle_to_border(p));
  return least;
}

bool is_simple(const std::vector<Vec>& vertices) {
  const std::size_t size = vertices.size();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      step_at(j);
      if (crossing(vertices[i], vertices[(i + 1) % size], vertices[j], vertices[(j + 1) % size]) ==
          Crossing::proper) {
        return false;
      }
    }
  }
  return true;
}

bool borders_cross(const Ring& a, const Ring& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      step_at(j);
      if (crossing(a.vertex(i), a.vertex(i + 1), b.vertex(j), b.vertex(j + 1)) ==
          Crossing::proper) {
        return true;
      }
    }
  }
  return false;
}

bool borders_cross(const SpherePolygon& a, const SpherePolygon& b) {
  for (const Ring& one : a.rings) {
    for (const Ring& other : b.rings) {
      if (borders_cross(one, other)) return true;
    }
  }
  return false;
}

}  // namespace gantry::data::filter
