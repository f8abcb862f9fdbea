#include "filter/geo/geo_relation.hpp"

#include <algorithm>
#include <numbers>

namespace gantry::data::filter {
namespace {

// Whether an edge of the line properly crosses a border of the polygon.
bool crosses(const SpherePolygon& polygon, const SphereLine& line) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    for (const Ring& ring : polygon.rings) {
      for (std::size_t j = 0; j < ring.size(); ++j) {
        step_at(j);
        if (crossing(line[i], line[i + 1], ring.vertex(j), ring.vertex(j + 1)) ==
            Crossing::proper) {
          return true;
        }
      }
    }
  }
  return false;
}

// Midpoints of edges are tested too: an edge may leave a polygon through a vertex.
bool covers_all(const SpherePolygon& polygon, const std::vector<Vec>& vertices, bool closed) {
  const std::size_t edges = closed ? vertices.size() : vertices.size() - 1;
  for (const Vec& vertex : vertices) {
    if (!polygon.covers(vertex)) return false;
  }
  for (std::size_t i = 0; i < edges; ++i) {
    if (!polygon.covers(unit(vertices[i] + vertices[(i + 1) % vertices.size()]))) return false;
  }
  return true;
}

bool contains_line(const SpherePolygon& polygon, const SphereLine& line) {
  return covers_all(polygon, line, false) && !crosses(polygon, line);
}

bool contains_polygon(const SpherePolygon& outer, const SpherePolygon& inner) {
  if (!covers_all(outer, inner.rings.front().vertices(), true) || borders_cross(outer, inner)) {
    return false;
  }
  // No hole of the outer polygon may lie inside the inner one.
  return std::none_of(outer.rings.begin() + 1, outer.rings.end(), [&](const Ring& hole) {
    return hole.inner() && inner.has_inside(*hole.inner());
  });
}

template <class Part, class Holds>
bool all_in_one(const std::vector<Part>& parts, const Shape& outer, Holds holds) {
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    return std::any_of(outer.polygons.begin(), outer.polygons.end(),
                       [&](const SpherePolygon& polygon) { return holds(polygon, part); });
  });
}

bool touches_line(const Vec& p, const SphereLine& line) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    step_at(i);
    if (angle_to_arc(p, line[i], line[i + 1]) < kTouch) return true;
  }
  return false;
}

bool lines_meet(const SphereLine& a, const SphereLine& b) {
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    for (std::size_t j = 0; j + 1 < b.size(); ++j) {
      step_at(j);
      if (arcs_meet(a[i], a[i + 1], b[j], b[j + 1])) return true;
    }
  }
  return false;
}

bool line_meets_polygon(const SphereLine& line, const SpherePolygon& polygon) {
  return std::any_of(line.begin(), line.end(),
                     [&](const Vec& vertex) { return polygon.covers(vertex); }) ||
         crosses(polygon, line);
}

// Whether a vertex of `a`, the midpoint of an edge, or a point beside one is inside of `b`.
bool reaches_into(const SpherePolygon& a, const SpherePolygon& b) {
  for (const Ring& ring : a.rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      if (b.has_inside(ring.vertex(i)) || b.has_inside(unit(ring.vertex(i) + ring.vertex(i + 1)))) {
        return true;
      }
    }
  }
  return false;
}

// A point well inside a ring: between the centre of all vertices and an edge.
bool share_middle(const Ring& a, const SpherePolygon& b) {
  Vec sum;
  for (const Vec& vertex : a.vertices()) sum = sum + vertex;
  if (length(sum) < kTouch) return false;
  const Vec middle = unit(sum);
  return a.has_inside(middle) && b.has_inside(middle);
}

bool polygons_meet(const SpherePolygon& a, const SpherePolygon& b) {
  return borders_cross(a, b) || reaches_into(a, b) || reaches_into(b, a) ||
         share_middle(a.rings.front(), b);
}

template <class Part, class Other, class Meet>
bool any_pair(const std::vector<Part>& parts, const std::vector<Other>& others, Meet meet) {
  return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
    return std::any_of(others.begin(), others.end(),
                       [&](const Other& other) { return meet(part, other); });
  });
}

bool points_meet(const Vec& a, const Vec& b) { return angle_between(a, b) < kTouch; }
bool point_in(const Vec& p, const SpherePolygon& polygon) { return polygon.covers(p); }

bool unlike_meet(const Shape& a, const Shape& b) {
  return any_pair(a.points, b.lines, touches_line) || any_pair(a.points, b.polygons, point_in) ||
         any_pair(a.lines, b.polygons, line_meets_polygon);
}

}  // namespace

bool contains(const Shape& outer, const Shape& inner) {
  const auto covers = [](const SpherePolygon& polygon, const Vec& p) { return polygon.covers(p); };
  return all_in_one(inner.points, outer, covers) && all_in_one(inner.lines, outer, contains_line) &&
         all_in_one(inner.polygons, outer, contains_polygon);
}

bool intersects(const Shape& a, const Shape& b) {
  return any_pair(a.points, b.points, points_meet) || any_pair(a.lines, b.lines, lines_meet) ||
         any_pair(a.polygons, b.polygons, polygons_meet) || unlike_meet(a, b) || unlike_meet(b, a);
}

double angle_to(const Shape& shape, const Vec& p) {
  double least = 4;
  for (const Vec& point : shape.points) least = std::min(least, angle_between(point, p));
  for (const SphereLine& line : shape.lines) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      least = std::min(least, angle_to_arc(p, line[i], line[i + 1]));
    }
  }
  for (const SpherePolygon& polygon : shape.polygons) least = std::min(least, polygon.angle_to(p));
  return least;
}

// A cap of less than half the sphere contains an edge if it contains both ends. A larger cap
// contains an edge that stays away from the point opposite to its centre.
bool contains(const Cap& cap, const Shape& inner) {
  constexpr double kSlack = 1e-14;
  if (cap.radius >= std::numbers::pi) return true;
  if (cap.radius > std::numbers::pi / 2) {
    return angle_to(inner, cap.centre * -1) >= std::numbers::pi - cap.radius - kSlack;
  }
  const auto holds = [&](const Vec& p) {
    return angle_between(cap.centre, p) <= cap.radius + kSlack;
  };
  const auto holds_all = [&](const std::vector<Vec>& all) {
    return std::all_of(all.begin(), all.end(), holds);
  };
  return holds_all(inner.points) &&
         std::all_of(inner.lines.begin(), inner.lines.end(), holds_all) &&
         std::all_of(inner.polygons.begin(), inner.polygons.end(),
                     [&](const SpherePolygon& polygon) {
                       return holds_all(polygon.rings.front().vertices());
                     });
}

}  // namespace gantry::data::filter
