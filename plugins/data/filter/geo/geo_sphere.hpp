// filter/geo/geo_sphere.hpp: points and arcs on the unit sphere. Internal to filter/. Pure
// functions.
//
// An arc is the shortest path between two points. Objects nearer than kTouch (about half a
// centimetre on Earth) touch.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "values/spending.hpp"

namespace gantry::data::filter {

// Counts a step of the query every so many edges: shapes may be large.
inline void step_at(std::size_t edge) {
  constexpr std::size_t kEdgesBetweenSteps = 64;
  if (edge % kEdgesBetweenSteps == 0) Spending::step_current();
}

inline constexpr double kTouch = 1e-9;             // radians
inline constexpr double kEarthRadius = 6378100.0;  // metres

struct Vec {
  double x = 0, y = 0, z = 0;
};

inline Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(const Vec& a, double by) { return {a.x * by, a.y * by, a.z * by}; }
inline double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(const Vec& a, const Vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec& a) { return std::sqrt(dot(a, a)); }
inline Vec unit(const Vec& a) { return a * (1 / length(a)); }
inline double determinant(const Vec& a, const Vec& b, const Vec& c) { return dot(a, cross(b, c)); }

// In degrees.
Vec on_sphere(double longitude, double latitude);
// Radians between two points.
double angle_between(const Vec& a, const Vec& b);
// Radians from `p` to the nearest point of the arc.
double angle_to_arc(const Vec& p, const Vec& a, const Vec& b);

enum class Crossing {
  none,
  proper,  // each passes from one side of the other to its opposite side
  unclear  // one starts, ends or runs on the other
};
Crossing crossing(const Vec& a, const Vec& b, const Vec& c, const Vec& d);

// Whether the arcs have a point in common.
bool arcs_meet(const Vec& a, const Vec& b, const Vec& c, const Vec& d);

// The area of a closed line's interior, which is on its left; negative if the smaller side is on
// the right. From -2 pi to 2 pi.
double signed_area(std::span<const Vec> ring);

}  // namespace gantry::data::filter
