#include "filter/geo/geo_sphere.hpp"

#include <algorithm>
#include <numbers>

namespace gantry::data::filter {
namespace {

constexpr double kNoise = 1e-15;  // the sign of a smaller determinant is uncertain

int side(double determinant) {
  if (std::abs(determinant) < kNoise) return 0;
  return determinant > 0 ? 1 : -1;
}

double signed_triangle(const Vec& a, const Vec& b, const Vec& c) {
  return 2 * std::atan2(determinant(a, b, c), 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

}  // namespace

Vec on_sphere(double longitude, double latitude) {
  constexpr double kDegree = std::numbers::pi / 180;
  const double phi = latitude * kDegree;
  const double theta = longitude * kDegree;
  return {std::cos(theta) * std::cos(phi), std::sin(theta) * std::cos(phi), std::sin(phi)};
}

double angle_between(const Vec& a, const Vec& b) {
  return std::atan2(length(cross(a, b)), dot(a, b));
}

double angle_to_arc(const Vec& p, const Vec& a, const Vec& b) {
  const Vec normal = cross(a, b);
  const double size = length(normal);
  if (size > 0 && dot(cross(normal, a), p) > 0 && dot(cross(b, normal), p) > 0) {
    return std::asin(std::min(1.0, std::abs(dot(normal, p)) / size));
  }
  return std::min(angle_between(p, a), angle_between(p, b));
}

Crossing crossing(const Vec& a, const Vec& b, const Vec& c, const Vec& d) {
  const Vec ab = cross(a, b);
  const int c_side = side(dot(ab, c));
  const int d_side = side(dot(ab, d));
  if (c_side != 0 && c_side == d_side) return Crossing::none;
  const Vec cd = cross(c, d);
  const int a_side = side(dot(cd, a));
  const int b_side = side(dot(cd, b));
  if (a_side != 0 && a_side == b_side) return Crossing::none;
  if (a_side * b_side * c_side * d_side == 0) return Crossing::unclear;
  // Otherwise they cross on the far side of the sphere.
  return a_side == d_side ? Crossing::proper : Crossing::none;
}

bool arcs_meet(const Vec& a, const Vec& b, const Vec& c, const Vec& d) {
  if (crossing(a, b, c, d) == Crossing::proper) return true;
  return angle_to_arc(a, c, d) < kTouch || angle_to_arc(b, c, d) < kTouch ||
         angle_to_arc(c, a, b) < kTouch || angle_to_arc(d, a, b) < kTouch;
}

double signed_area(std::span<const Vec> ring) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
    sum += signed_triangle(ring[0], ring[i], ring[i + 1]);
  }
  return std::remainder(sum, 4 * std::numbers::pi);
}

}  // namespace gantry::data::filter
