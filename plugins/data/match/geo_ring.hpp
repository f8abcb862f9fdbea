// match/geo_ring.hpp: closed lines and polygons on the sphere. Internal to match/.
#pragma once

#include <optional>
#include <vector>

#include "match/geo_sphere.hpp"

namespace gantry::data::match {

// A closed line without crossings; its inside is to the left of its way.
class Ring {
 public:
  // `vertices`: at least three, without the closing one. Unless `as_wound`, the smaller side is the
  // inside.
  Ring(std::vector<Vec> vertices, bool as_wound);

  const std::vector<Vec>& vertices() const { return vertices_; }
  const Vec& vertex(std::size_t i) const { return vertices_[i % vertices_.size()]; }
  std::size_t size() const { return vertices_.size(); }

  bool has_on_border(const Vec& p) const;
  // Points on the border are neither surely inside nor surely outside.
  bool has_inside(const Vec& p) const;
  double angle_to_border(const Vec& p) const;
  // A point that is inside, when there is one.
  const std::optional<Vec>& inner() const { return inner_; }

 private:
  std::optional<bool> crosses_evenly(const Vec& from, const Vec& to) const;
  Vec beside(std::size_t edge) const;

  std::vector<Vec> vertices_;
  std::optional<Vec> inner_;
};

// The first ring without the insides of the others.
struct SpherePolygon {
  std::vector<Ring> rings;

  bool has_on_border(const Vec& p) const;
  bool has_inside(const Vec& p) const;  // the border left out
  bool covers(const Vec& p) const { return has_on_border(p) || has_inside(p); }
  double angle_to(const Vec& p) const;  // 0 inside
};

// Whether no two edges of the closed line cross.
bool is_simple(const std::vector<Vec>& vertices);
// Whether an edge of one properly crosses an edge of the other.
bool borders_cross(const Ring& a, const Ring& b);
bool borders_cross(const SpherePolygon& a, const SpherePolygon& b);

}  // namespace gantry::data::match
