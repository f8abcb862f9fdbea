// $geoWithin (and $within) and $geoIntersects.
#include <array>
#include <cmath>
#include <utility>

#include "filter/geo/geo_flat.hpp"
#include "filter/geo/geo_relation.hpp"
#include "filter/parser.hpp"
#include "filter/refuse.hpp"

namespace gantry::data::filter {
namespace {

// The shape stored in a document; empty if the value is not a valid one.
std::optional<Shape> stored_shape(const Value& value) {
  if (!value.is_array() && !value.is_object()) return std::nullopt;
  Reason reason;
  return read_shape(value, {}, reason);
}

class WithinFlat : public ValueTest {
 public:
  explicit WithinFlat(FlatShapePtr area) : area_(std::move(area)) {}
  bool holds(const Value& value, Context&) const override {
    const auto shape = stored_shape(value);
    return shape && shape->flat && area_->contains(*shape->flat);
  }

 private:
  FlatShapePtr area_;
};

// `Area` is a Shape or a Cap.
template <class Area>
class WithinSphere : public ValueTest {
 public:
  explicit WithinSphere(Area area) : area_(std::move(area)) {}
  bool holds(const Value& value, Context&) const override {
    const auto shape = stored_shape(value);
    return shape && shape->on_sphere && contains(area_, *shape);
  }

 private:
  Area area_;
};

class IntersectsTest : public ValueTest {
 public:
  explicit IntersectsTest(Shape area) : area_(std::move(area)) {}
  bool holds(const Value& value, Context&) const override {
    const auto shape = stored_shape(value);
    return shape && shape->on_sphere && intersects(area_, *shape);
  }

 private:
  Shape area_;
};

[[noreturn]] void refuse_shape(std::string_view op, const std::string& why) {
  throw QueryError(std::string(op) + ": " + why + ".");
}

Shape parse_geometry(std::string_view op, const Value& json) {
  Reason reason;
  auto shape = read_shape(json, {.of_query = true}, reason);
  if (!shape) refuse_shape(std::string(op) + ", $geometry", reason);
  if (!shape->on_sphere) refuse_shape(op, "$geometry is given in longitude and latitude");
  return std::move(*shape);
}

FlatPoint parse_pair(std::string_view op, const Value& value) {
  const auto pair = read_pair(value, false);
  if (!pair) refuse_shape(op, "a point is written as two numbers, [x, y]");
  return *pair;
}

TestPtr within_box(std::string_view op, const Value& operand) {
  const auto corners = items_of(operand);
  if (corners.size() != 2) refuse_shape(op, "it is written as [[x, y], [x, y]]");
  return std::make_unique<WithinFlat>(
      flat_box(parse_pair(op, corners[0]), parse_pair(op, corners[1])));
}

TestPtr within_polygon(std::string_view op, const Value& operand) {
  std::vector<FlatPoint> corners;
  for (const Value& corner : items_of(operand)) corners.push_back(parse_pair(op, corner));
  if (corners.size() < 3) refuse_shape(op, "it needs at least three points");
  return std::make_unique<WithinFlat>(flat_polygon(std::move(corners)));
}

std::pair<FlatPoint, double> parse_circle(std::string_view op, const Value& operand) {
  const auto parts = items_of(operand);
  if (parts.size() != 2) refuse_shape(op, "it is written as [[x, y], radius]");
  if (!parts[1].is_number()) refuse_operand(op, "a number as radius", parts[1]);
  const double radius = parts[1].number();
  if (!(radius >= 0)) refuse_shape(op, "the radius may not be negative");
  return {parse_pair(op, parts[0]), radius};
}

TestPtr within_circle(std::string_view op, const Value& operand) {
  const auto [centre, radius] = parse_circle(op, operand);
  return std::make_unique<WithinFlat>(flat_circle(centre, radius));
}

TestPtr within_cap(std::string_view op, const Value& operand) {
  const auto [centre, radius] = parse_circle(op, operand);
  if (!is_on_earth(centre)) {
    refuse_shape(op, "a longitude is from -180 to 180 and a latitude from -90 to 90");
  }
  return std::make_unique<WithinSphere<Cap>>(Cap{on_sphere(centre.x, centre.y), radius});
}

TestPtr within_geometry(std::string_view, const Value& operand) {
  Shape shape = parse_geometry("$geoWithin", operand);
  if (shape.polygons.empty()) {
    throw QueryError(
        "$geoWithin needs an area: a Polygon, a MultiPolygon or a collection of them.");
  }
  return std::make_unique<WithinSphere<Shape>>(std::move(shape));
}

struct Area {
  std::string_view name;
  TestPtr (*parse)(std::string_view op, const Value& operand);
};
constexpr std::array kAreas = {
    Area{"$geometry", within_geometry}, Area{"$box", within_box},
    Area{"$polygon", within_polygon},   Area{"$center", within_circle},
    Area{"$centerSphere", within_cap},
};

void check_alone(std::string_view name, const Value& all) {
  if (all.members().size() == 1) return;
  throw QueryError(std::string(name) +
                   " stands alone behind its field; combine conditions with $and.");
}

// The only shape of {$geometry: …}; $uniqueDocs beside it is accepted and ignored.
const Member& only_shape(std::string_view name, const Value& operand) {
  if (!operand.is_object()) refuse_operand(name, "an object with a shape", operand);
  const Member* found = nullptr;
  for (const Member& member : operand.members()) {
    if (member.name == "$uniqueDocs") continue;
    if (found != nullptr) throw QueryError(std::string(name) + " takes one shape only.");
    found = &member;
  }
  if (found == nullptr) throw QueryError(std::string(name) + " needs a shape, like $geometry.");
  return *found;
}

TestPtr parse_within(std::string_view name, const Value& operand, const Value& all, Parser&,
                     Place) {
  check_alone(name, all);
  const Member& shape = only_shape(name, operand);
  for (const Area& area : kAreas) {
    if (area.name == shape.name) return area.parse(area.name, shape.value);
  }
  throw QueryError(std::string(name) +
                   " knows $geometry, $box, $polygon, $center and $centerSphere.");
}

TestPtr parse_intersects(std::string_view name, const Value& operand, const Value& all, Parser&,
                         Place) {
  check_alone(name, all);
  const Member& shape = only_shape(name, operand);
  if (shape.name != "$geometry") throw QueryError("$geoIntersects knows $geometry only.");
  return std::make_unique<IntersectsTest>(parse_geometry(name, shape.value));
}

constexpr std::array kGeoOperators = {
    FieldOperator{"$geoWithin", parse_within},
    FieldOperator{"$within", parse_within},
    FieldOperator{"$geoIntersects", parse_intersects},
};

}  // namespace

std::span<const FieldOperator> geo_operators() { return kGeoOperators; }

}  // namespace gantry::data::filter
