// Trigonometry: results are doubles; NaN passes through; arguments out of range are refused.
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "expr/arithmetic.hpp"

namespace gantry::data::expr {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Bounds {
  double least = -kInfinity;
  double most = kInfinity;
  const char* text = "";  // for the error message
};

constexpr Bounds kAll{};
constexpr Bounds kFinite{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(),
                         "a finite number"};
constexpr Bounds kUnit{-1, 1, "a number from -1 to 1"};
constexpr Bounds kOneOrMore{1, kInfinity, "a number that is at least 1"};

Value apply(std::string_view op, const Value& value, const Bounds& bounds, double (*of)(double)) {
  if (value.is_nullish()) return Value::null();
  need_number(op, value);
  const double number = value.number();
  if (number < bounds.least || number > bounds.most) {
    throw QueryError(std::string(op) + " needs " + bounds.text +
                     ": leave others out with $match, or test them with $cond.");
  }
  return Value::real(of(number));
}

double to_degrees(double radians) { return radians * (180 / std::numbers::pi); }
double to_radians(double degrees) { return degrees * (std::numbers::pi / 180); }

Value acos(Arguments a, Context& /*c*/) { return apply("$acos", a[0], kUnit, std::acos); }
Value acosh(Arguments a, Context& /*c*/) { return apply("$acosh", a[0], kOneOrMore, std::acosh); }
Value asin(Arguments a, Context& /*c*/) { return apply("$asin", a[0], kUnit, std::asin); }
Value asinh(Arguments a, Context& /*c*/) { return apply("$asinh", a[0], kAll, std::asinh); }
Value atan(Arguments a, Context& /*c*/) { return apply("$atan", a[0], kAll, std::atan); }
Value atanh(Arguments a, Context& /*c*/) { return apply("$atanh", a[0], kUnit, std::atanh); }
Value cos(Arguments a, Context& /*c*/) { return apply("$cos", a[0], kFinite, std::cos); }
Value cosh(Arguments a, Context& /*c*/) { return apply("$cosh", a[0], kAll, std::cosh); }
Value sin(Arguments a, Context& /*c*/) { return apply("$sin", a[0], kFinite, std::sin); }
Value sinh(Arguments a, Context& /*c*/) { return apply("$sinh", a[0], kAll, std::sinh); }
Value tan(Arguments a, Context& /*c*/) { return apply("$tan", a[0], kFinite, std::tan); }
Value tanh(Arguments a, Context& /*c*/) { return apply("$tanh", a[0], kAll, std::tanh); }

Value atan2(Arguments a, Context& /*c*/) {
  if (any_nullish(a)) return Value::null();
  need_number("$atan2", a[0]);
  need_number("$atan2", a[1]);
  return Value::real(std::atan2(a[0].number(), a[1].number()));
}

Value degrees_to_radians(Arguments a, Context& /*c*/) {
  return apply("$degreesToRadians", a[0], kAll, to_radians);
}

Value radians_to_degrees(Arguments a, Context& /*c*/) {
  return apply("$radiansToDegrees", a[0], kAll, to_degrees);
}

constexpr Function kTrigonometryFunctions[] = {
    {"$acos", 1, 1, acos},
    {"$acosh", 1, 1, acosh},
    {"$asin", 1, 1, asin},
    {"$asinh", 1, 1, asinh},
    {"$atan", 1, 1, atan},
    {"$atan2", 2, 2, atan2},
    {"$atanh", 1, 1, atanh},
    {"$cos", 1, 1, cos},
    {"$cosh", 1, 1, cosh},
    {"$degreesToRadians", 1, 1, degrees_to_radians},
    {"$radiansToDegrees", 1, 1, radians_to_degrees},
    {"$sin", 1, 1, sin},
    {"$sinh", 1, 1, sinh},
    {"$tan", 1, 1, tan},
    {"$tanh", 1, 1, tanh},
};

}  // namespace

Family trigonometry_family() { return {kTrigonometryFunctions, {}, {}}; }

}  // namespace gantry::data::expr
