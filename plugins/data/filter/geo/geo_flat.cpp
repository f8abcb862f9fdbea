#include "filter/geo/geo_flat.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "values/spending.hpp"

namespace gantry::data::filter {
namespace {

class Box : public FlatShape {
 public:
  Box(const FlatPoint& a, const FlatPoint& b)
      : least_{std::min(a.x, b.x), std::min(a.y, b.y)},
        most_{std::max(a.x, b.x), std::max(a.y, b.y)} {}
  bool contains(const FlatPoint& p) const override {
    return p.x >= least_.x && p.x <= most_.x && p.y >= least_.y && p.y <= most_.y;
  }

 private:
  FlatPoint least_, most_;
};

// As in MongoDB, along an axis the radius is added to the lower place: 52 is within 0.0001 of
// 51.9999, although their difference is more.
bool is_within(const FlatPoint& a, const FlatPoint& b, double radius) {
  if (a.x == b.x) return std::max(a.y, b.y) <= std::min(a.y, b.y) + radius;
  if (a.y == b.y) return std::max(a.x, b.x) <= std::min(a.x, b.x) + radius;
  return distance(a, b) <= radius;
}

class Circle : public FlatShape {
 public:
  Circle(const FlatPoint& centre, double radius) : centre_(centre), radius_(radius) {}
  bool contains(const FlatPoint& p) const override { return is_within(centre_, p, radius_); }

 private:
  FlatPoint centre_;
  double radius_;
};

bool is_between(double value, double a, double b) {
  return value >= std::min(a, b) && value <= std::max(a, b);
}

// As in MongoDB, corners and edges along an axis are inside; on other edges the ray decides.
bool is_on_straight_edge(const FlatPoint& p, const FlatPoint& a, const FlatPoint& b) {
  if (p.x == a.x && p.y == a.y) return true;
  if (a.y == b.y) return p.y == a.y && is_between(p.x, a.x, b.x);
  return a.x == b.x && p.x == a.x && is_between(p.y, a.y, b.y);
}

// Whether a ray from `p` to the right meets the edge.
bool is_left_of(const FlatPoint& p, const FlatPoint& a, const FlatPoint& b) {
  if ((a.y >= p.y) == (b.y >= p.y)) return false;
  return p.x <= (p.y - a.y) * (b.x - a.x) / (b.y - a.y) + a.x;
}

class Polygon : public FlatShape {
 public:
  explicit Polygon(std::vector<FlatPoint> corners) : corners_(std::move(corners)) {}
  bool contains(const FlatPoint& p) const override {
    bool inside = false;
    SmallSteps step;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      step();
      const FlatPoint& a = corners_[i];
      const FlatPoint& b = corners_[(i + 1) % corners_.size()];
      if (is_on_straight_edge(p, a, b)) return true;
      if (is_left_of(p, a, b)) inside = !inside;
    }
    return inside;
  }

 private:
  std::vector<FlatPoint> corners_;
};

}  // namespace

double distance(const FlatPoint& a, const FlatPoint& b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

FlatShapePtr flat_box(const FlatPoint& a, const FlatPoint& b) {
  return std::make_unique<Box>(a, b);
}
FlatShapePtr flat_circle(const FlatPoint& centre, double radius) {
  return std::make_unique<Circle>(centre, radius);
}
FlatShapePtr flat_polygon(std::vector<FlatPoint> corners) {
  return std::make_unique<Polygon>(std::move(corners));
}

}  // namespace gantry::data::filter
