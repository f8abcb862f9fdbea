// filter/geo/geo_ring.hpp: closed lines and polygons on the sphere. Internal to filter/.
#pragma once

#include <optional>
#include <vector>

#include "filter/geo/geo_sphere.hpp"

namespace gantry::data::filter {

// A simple closed line; its interior is on the left of its direction.
class Ring {
 public:
  // `vertices`: at least three, without the repeated closing one. Unless `as_wound`, the smaller
  // side is the interior.
  Ring(std::vector<Vec> vertices, bool as_wound);

  const std::vector<Vec>& vertices() const { return vertices_; }
  const Vec& vertex(std::size_t i) const { return vertices_[i % vertices_.size()]; }
  std::size_t size() const { return vertices_.size(); }

  bool has_on_border(const Vec& p) const;
  // For points on the border the result is unspecified.
  bool has_inside(const Vec& p) const;
  double angle_to_border(const Vec& p) const;
  // A point in the interior, if one was found.
  const std::optional<Vec>& inner() const { return inner_; }

 private:
  std::optional<bool> crosses_evenly(const Vec& from, const Vec& to) const;
  Vec beside(std::size_t edge) const;

  std::vector<Vec> vertices_;
  std::optional<Vec> inner_;
};

// The interior of the first ring without those of the others.
struct SpherePolygon {
  std::vector<Ring> rings;

  bool has_on_border(const Vec& p) const;
  bool has_inside(const Vec& p) const;  // the border does not count as inside
  bool covers(const Vec& p) const { return has_on_border(p) || has_inside(p); }
  double angle_to(const Vec& p) const;  // 0 inside
};

// Whether no two edges of the closed line cross.
bool is_simple(const std::vector<Vec>& vertices);
// Whether an edge of one properly crosses an edge of the other.
bool borders_cross(const Ring& a, const Ring& b);
bool borders_cross(const SpherePolygon& a, const SpherePolygon& b);

}  // namespace gantry::data::filter
