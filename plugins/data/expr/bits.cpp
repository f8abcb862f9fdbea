// Bitwise operators on ints and longs; an int among longs is sign-extended.
#include "expr/arithmetic.hpp"
#include "expr/numbers.hpp"

namespace gantry::data::expr {
namespace {

void need_integral(std::string_view op, const Value& value) {
  if (!value.is_integral()) refuse_type(op, "ints and longs", value);
}

template <class Combine>
Value combine(std::string_view op, Arguments arguments, std::int64_t bits, Combine with) {
  Value::Type type = Value::Type::int32;
  for (const Value& operand : arguments) {
    if (operand.is_nullish()) return Value::null();
    need_integral(op, operand);
    type = wider(type, operand.type());
    bits = with(bits, operand.integer());
  }
  return integral(bits, type);
}

}  // namespace

Value bits_and(Arguments arguments, Context& /*context*/) {
  return combine("$bitAnd", arguments, -1, [](auto a, auto b) { return a & b; });
}

Value bits_or(Arguments arguments, Context& /*context*/) {
  return combine("$bitOr", arguments, 0, [](auto a, auto b) { return a | b; });
}

Value bits_xor(Arguments arguments, Context& /*context*/) {
  return combine("$bitXor", arguments, 0, [](auto a, auto b) { return a ^ b; });
}

Value bits_not(Arguments arguments, Context& /*context*/) {
  if (arguments[0].is_nullish()) return Value::null();
  need_integral("$bitNot", arguments[0]);
  return integral(~arguments[0].integer(), arguments[0].type());
}

}  // namespace gantry::data::expr
