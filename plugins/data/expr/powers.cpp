// Powers, roots and logarithms.
#include <cmath>

#include "expr/arithmetic.hpp"
#include "expr/numbers.hpp"

namespace gantry::data::expr {
namespace {

// NaN passes the check, and the result is NaN.
void need_positive(std::string_view op, const Value& value) {
  if (value.number() > 0 || std::isnan(value.number())) return;
  throw QueryError(std::string(op) + " needs a number above zero: leave others out with $match.");
}

Value real_of(std::string_view op, const Value& value, double (*of)(double)) {
  if (value.is_nullish()) return Value::null();
  need_number(op, value);
  return Value::real(of(value.number()));
}

Value logarithm_of(std::string_view op, const Value& value, double (*of)(double)) {
  if (value.is_nullish()) return Value::null();
  need_number(op, value);
  need_positive(op, value);
  return Value::real(of(value.number()));
}

// By repeated squaring; false if it exceeds a long.
bool long_power(std::int64_t base, std::int64_t exponent, std::int64_t& power) {
  power = 1;
  for (;;) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(power, base, &power)) return false;
    exponent >>= 1;
    if (exponent == 0) return true;
    if (__builtin_mul_overflow(base, base, &base)) return false;
  }
}

// With a negative exponent only 1 and -1 have whole results.
Value integral_power(std::int64_t base, std::int64_t exponent, Value::Type type) {
  std::int64_t power = 0;
  if (base == 1) return integral(1, type);
  if (base == -1) return integral(exponent % 2 == 0 ? 1 : -1, type);
  if (base == 0 && exponent >= 0) return integral(exponent == 0 ? 1 : 0, type);
  if (exponent >= 0 && long_power(base, exponent, power)) return integral(power, type);
  return Value::real(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
}

}  // namespace

Value raise_power(Arguments arguments, Context& /*context*/) {
  if (any_nullish(arguments)) return Value::null();
  const Value& base = arguments[0];
  const Value& exponent = arguments[1];
  need_number("$pow", base);
  need_number("$pow", exponent);
  if (base.number() == 0 && exponent.number() < 0) {
    throw QueryError("$pow cannot raise 0 to a negative exponent: test the base with $cond.");
  }
  const Value::Type type = wider(base.type(), exponent.type());
  if (type != Value::Type::real) return integral_power(base.integer(), exponent.integer(), type);
  return Value::real(std::pow(base.number(), exponent.number()));
}

Value exponential(Arguments arguments, Context& /*context*/) {
  return real_of("$exp", arguments[0], std::exp);
}

Value natural_logarithm(Arguments arguments, Context& /*context*/) {
  return logarithm_of("$ln", arguments[0], std::log);
}

Value decimal_logarithm(Arguments arguments, Context& /*context*/) {
  return logarithm_of("$log10", arguments[0], std::log10);
}

Value logarithm(Arguments arguments, Context& /*context*/) {
  if (any_nullish(arguments)) return Value::null();
  for (const Value& operand : arguments) need_number("$log", operand);
  for (const Value& operand : arguments) need_positive("$log", operand);
  if (arguments[1].number() == 1) throw QueryError("$log needs a base other than 1.");
  return Value::real(std::log(arguments[0].number()) / std::log(arguments[1].number()));
}

Value square_root(Arguments arguments, Context& /*context*/) {
  if (arguments[0].is_number() && arguments[0].number() < 0) {
    throw QueryError("$sqrt needs a number that is not below zero: use $abs or $match first.");
  }
  return real_of("$sqrt", arguments[0], std::sqrt);
}

Value sigmoid(Arguments arguments, Context& /*context*/) {
  return real_of("$sigmoid", arguments[0], [](double x) { return 1 / (1 + std::exp(-x)); });
}

}  // namespace gantry::data::expr
