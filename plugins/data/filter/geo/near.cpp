#include "filter/geo/near.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "filter/geo/geo_flat.hpp"
#include "filter/geo/geo_relation.hpp"
#include "filter/parser.hpp"
#include "filter/refuse.hpp"

namespace gantry::data::filter {
namespace {

enum class Unit { metres, radians, flat };

constexpr double kSlackShare = 1e-9;   // of the least distance
constexpr double kSlackMetres = 1e-6;  // tolerance for angles that were summed in doubles

struct Target {
  FlatPoint point;
  Unit unit = Unit::flat;
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

std::optional<double> distance_to(const Target& target, const Value& value) {
  Reason reason;
  const auto shape =
      value.is_array() || value.is_object() ? read_shape(value, {}, reason) : std::nullopt;
  if (!shape) return std::nullopt;
  if (target.unit == Unit::flat) {
    if (!shape->flat) return std::nullopt;
    return distance(*shape->flat, target.point);
  }
  if (!shape->on_sphere) return std::nullopt;
  const double angle = angle_to(*shape, on_sphere(target.point.x, target.point.y));
  return target.unit == Unit::metres ? angle * kEarthRadius : angle;
}

class NearTest : public ValueTest {
 public:
  explicit NearTest(const Target& target) : target_(target) {
    slack_ = target.unit == Unit::metres ? kSlackMetres : kSlackMetres / kEarthRadius;
    if (target.unit == Unit::flat) slack_ = 0;
  }
  bool holds(const Value& value, Context&) const override {
    const auto far = distance_to(target_, value);
    return far && *far >= target_.least - least_slack() && *far <= target_.most + slack_;
  }

 private:
  // A small limit keeps its meaning: a place at distance 0 is nearer than any of them.
  double least_slack() const { return std::min(slack_, target_.least * kSlackShare); }

  Target target_;
  double slack_;
};

double parse_limit(std::string_view name, const Value& value) {
  if (!value.is_number()) refuse_operand(name, "a number", value);
  if (!(value.number() >= 0)) throw QueryError(std::string(name) + " may not be negative.");
  return value.number();
}

// Parse's operators for distances in radians.
struct Scale {
  std::string_view name;
  double radius;
};
constexpr std::array kScales = {
    Scale{"$maxDistanceInRadians", 1},
    Scale{"$maxDistanceInKilometers", 6371.0},
    Scale{"$maxDistanceInMiles", 3958.8},
};

bool read_scaled(const Member& member, Target& target) {
  for (const Scale& scale : kScales) {
    if (scale.name != member.name || target.unit != Unit::radians) continue;
    target.most = parse_limit(member.name, member.value) / scale.radius;
    return true;
  }
  return false;
}

bool read_limit(const Member& member, Target& target) {
  if (member.name == "$maxDistance") target.most = parse_limit(member.name, member.value);
  if (member.name == "$minDistance") target.least = parse_limit(member.name, member.value);
  return member.name == "$maxDistance" || member.name == "$minDistance" ||
         member.name == "$uniqueDocs" || read_scaled(member, target);
}

FlatPoint parse_point(std::string_view name, const Value& json) {
  Reason reason;
  const auto shape = read_shape(json, {.of_query = true, .untyped_is_point = true}, reason);
  if (!shape) throw QueryError(std::string(name) + ", $geometry: " + reason + ".");
  if (!shape->flat || !shape->on_sphere) {
    throw QueryError(std::string(name) + " needs a Point in longitude and latitude.");
  }
  return *shape->flat;
}

// {$near: {$geometry: …, $maxDistance: metres}}
Target parse_metres(std::string_view name, const Value& operand, const Value& all) {
  Target target;
  target.unit = Unit::metres;
  bool has_point = false;
  for (const Member& member : operand.members()) {
    if (member.name == "$geometry") {
      target.point = parse_point(name, member.value);
      has_point = true;
    } else if (!read_limit(member, target)) {
      throw QueryError(std::string(name) + " knows $geometry, $minDistance and $maxDistance.");
    }
  }
  if (!has_point) throw QueryError(std::string(name) + " needs a $geometry or a pair of numbers.");
  if (all.members().size() > 1) {
    throw QueryError(std::string(name) + " with $geometry stands alone behind its field.");
  }
  return target;
}

// The point of {$near: [x, y]} and its unit; a third number is the largest distance.
Target parse_place(std::string_view name, const Value& operand) {
  Target target;
  if (operand.find("type").is_string()) {
    target.point = parse_point(name, operand);
    target.unit = Unit::metres;
    return target;
  }
  const auto items = items_of(operand);
  const auto pair = items.size() > 3 ? std::nullopt : read_pair(operand, true);
  if (!pair) throw QueryError(std::string(name) + " needs a $geometry or a pair of numbers.");
  target.point = *pair;
  if (name == "$nearSphere") target.unit = Unit::radians;
  if (items.size() == 3 && !is_geo_point(operand)) {
    target.most = parse_limit("$maxDistance", items[2]);
  }
  return target;
}

// {$near: [x, y], $maxDistance: …}
Target parse_legacy(std::string_view name, const Value& operand, const Value& all) {
  Target target = parse_place(name, operand);
  if (target.unit == Unit::radians && !is_on_earth(target.point)) {
    throw QueryError(std::string(name) + " needs a longitude and a latitude.");
  }
  for (const Member& member : all.members()) {
    if (member.name != name && !read_limit(member, target)) {
      throw QueryError(std::string(name) + " takes only $minDistance and $maxDistance beside it.");
    }
  }
  return target;
}

Target parse_target(std::string_view name, const Value& operand, const Value& all) {
  if (!operand.is_object() && !operand.is_array()) {
    refuse_operand(name, "a $geometry or a pair of numbers", operand);
  }
  const bool is_new = operand.is_object() && (operand.members().empty() ||
                                              operand.members().front().name.starts_with('$'));
  return is_new ? parse_metres(name, operand, all) : parse_legacy(name, operand, all);
}

TestPtr parse_near(std::string_view name, const Value& operand, const Value& all, Parser& parser,
                   Place place) {
  if (place.negated || !parser.take_near()) {
    throw QueryError(std::string(name) +
                     " stands once in a filter, at its top or in $and: it decides on the order.");
  }
  if (all.members().front().name != name) {
    throw QueryError(std::string(name) + " stands first behind its field.");
  }
  return std::make_unique<NearTest>(parse_target(name, operand, all));
}

TestPtr parse_distance(std::string_view name, const Value&, const Value& all, Parser&, Place) {
  const std::string& first = all.members().front().name;
  if (first == "$near" || first == "$nearSphere" || first == "$geoNear") return nullptr;
  throw QueryError(std::string(name) + " stands beside $near or $nearSphere.");
}

constexpr std::array kNearOperators = {
    FieldOperator{"$near", parse_near},
    FieldOperator{"$nearSphere", parse_near},
    FieldOperator{"$geoNear", parse_near},
    FieldOperator{"$maxDistance", parse_distance},
    FieldOperator{"$minDistance", parse_distance},
    FieldOperator{"$maxDistanceInRadians", parse_distance},
    FieldOperator{"$maxDistanceInKilometers", parse_distance},
    FieldOperator{"$maxDistanceInMiles", parse_distance},
    FieldOperator{"$uniqueDocs", parse_distance},
};

class NearPlace : public Near {
 public:
  NearPlace(std::string_view path, const Target& target) : path_(path), target_(target) {}
  std::optional<double> distance(const Value& document) const override {
    std::optional<double> least;
    path_.any(document, Leaf::elements_too, [&](const Value& value) {
      const auto far = distance_to(target_, value);
      if (far && (!least || *far < *least)) least = far;
      return false;
    });
    return least;
  }

 private:
  Path path_;
  Target target_;
};

bool is_near(const std::string& name) {
  return name == "$near" || name == "$nearSphere" || name == "$geoNear";
}

std::unique_ptr<const Near> near_in(const Member& member, int level) {
  if (member.name == "$and" && member.value.is_array() && level < kMaxLevels) {
    for (const Value& filter : member.value.elements()) {
      if (!filter.is_object()) continue;
      for (const Member& inner : filter.members()) {
        if (auto near = near_in(inner, level + 1)) return near;
      }
    }
  }
  if (!holds_operators(member.value) || !is_near(member.value.members().front().name)) {
    return nullptr;
  }
  const Member& near = member.value.members().front();
  return std::make_unique<NearPlace>(member.name,
                                     parse_target(near.name, near.value, member.value));
}

}  // namespace

std::span<const FieldOperator> near_operators() { return kNearOperators; }

std::unique_ptr<const Near> near_of(const Value& filter) {
  if (!filter.is_object()) return nullptr;
  for (const Member& member : filter.members()) {
    if (auto near = near_in(member, 0)) return near;
  }
  return nullptr;
}

}  // namespace gantry::data::filter
