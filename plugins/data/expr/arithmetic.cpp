// The arithmetic family: its operator table, division and absolute values.
#include "expr/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "expr/numbers.hpp"

namespace gantry::data::expr {
namespace {

Value absolute(Arguments arguments, Context& /*context*/) {
  const Value& value = arguments[0];
  if (value.is_nullish()) return Value::null();
  need_number("$abs", value);
  if (value.is_real()) return Value::real(std::fabs(value.real()));
  if (value.integer() == std::numeric_limits<std::int64_t>::min()) {
    throw QueryError("$abs has no long for the least long: convert it with $toDouble first.");
  }
  return integral(std::abs(value.integer()), value.type());
}

void need_divisor(std::string_view op, const Value& divisor) {
  if (divisor.number() != 0) return;
  throw QueryError(std::string(op) +
                   " cannot divide by zero: leave such documents out with $match, or test the "
                   "divisor with $cond.");
}

Value divide(Arguments arguments, Context& /*context*/) {
  if (any_nullish(arguments)) return Value::null();
  need_number("$divide", arguments[0]);
  need_number("$divide", arguments[1]);
  need_divisor("$divide", arguments[1]);
  return Value::real(arguments[0].number() / arguments[1].number());
}

Value remainder_of(Arguments arguments, Context& /*context*/) {
  if (any_nullish(arguments)) return Value::null();
  need_number("$mod", arguments[0]);
  need_number("$mod", arguments[1]);
  need_divisor("$mod", arguments[1]);
  const Value::Type type = wider(arguments[0].type(), arguments[1].type());
  if (type == Value::Type::real) {
    return Value::real(std::fmod(arguments[0].number(), arguments[1].number()));
  }
  // INT64_MIN % -1 overflows in C++; with a divisor of 1 the result is also zero.
  const std::int64_t divisor = arguments[1].integer();
  return integral(divisor == -1 ? 0 : arguments[0].integer() % divisor, type);
}

constexpr Function kArithmeticFunctions[] = {
    {"$abs", 1, 1, absolute},
    {"$add", 0, kAny, add_all},
    {"$bitAnd", 0, kAny, bits_and, false, nullptr, true},
    {"$bitNot", 1, 1, bits_not},
    {"$bitOr", 0, kAny, bits_or, false, nullptr, true},
    {"$bitXor", 0, kAny, bits_xor, false, nullptr, true},
    {"$ceil", 1, 1, round_up},
    {"$divide", 2, 2, divide},
    {"$exp", 1, 1, exponential},
    {"$floor", 1, 1, round_down},
    {"$ln", 1, 1, natural_logarithm},
    {"$log", 2, 2, logarithm},
    {"$log10", 1, 1, decimal_logarithm},
    {"$mod", 2, 2, remainder_of},
    {"$multiply", 0, kAny, multiply_all},
    {"$pow", 2, 2, raise_power},
    {"$round", 1, 2, round_number},
    {"$sigmoid", 1, 1, sigmoid},
    {"$sqrt", 1, 1, square_root},
    {"$subtract", 2, 2, subtract},
    {"$trunc", 1, 2, truncate_number},
};

}  // namespace

void need_number(std::string_view op, const Value& value) {
  if (!value.is_nullish() && !value.is_number()) refuse_type(op, "numbers", value);
}

bool any_nullish(Arguments arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Value& value) { return value.is_nullish(); });
}

Family arithmetic_family() { return {kArithmeticFunctions, {}, {}}; }

}  // namespace gantry::data::expr
