// $add, $subtract and $multiply: results whose type widens with the operands.
#include <cmath>

#include "expr/arithmetic.hpp"
#include "expr/numbers.hpp"

namespace gantry::data::expr {
namespace {

[[noreturn]] void refuse_date_overflow(std::string_view op) {
  throw QueryError(std::string(op) +
                   " has no date for that result: add or subtract a finite number of milliseconds "
                   "that stays within the range of dates.");
}

Value date_at(std::string_view op, double milliseconds) {
  const auto at = rounded_long(milliseconds);
  if (!at) refuse_date_overflow(op);
  return Value::date(*at);
}

class Total {
 public:
  void add(const Value& operand) {
    if (operand.is_date()) take_date();
    widen(operand.is_date() ? Value::Type::int64 : operand.type());
    if (type_ == Value::Type::real) {
      real_ += operand.is_date() ? static_cast<double>(operand.integer()) : operand.number();
    } else {
      add_integral(operand.integer());
    }
  }

  Value result() const {
    if (type_ == Value::Type::real) return is_date_ ? date_at("$add", real_) : Value::real(real_);
    return is_date_ ? Value::date(integral_) : integral(integral_, type_);
  }

 private:
  void take_date() {
    if (is_date_) {
      throw QueryError("$add takes at most one date: use $subtract for the time between two.");
    }
    is_date_ = true;
  }

  void widen(Value::Type type) {
    if (type == Value::Type::real && type_ != Value::Type::real) {
      real_ = static_cast<double>(integral_);
    }
    type_ = wider(type_, type);
  }

  void add_integral(std::int64_t operand) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(integral_, operand, &sum)) {
      integral_ = sum;
      return;
    }
    if (is_date_) refuse_date_overflow("$add");
    real_ = static_cast<double>(integral_) + static_cast<double>(operand);
    type_ = Value::Type::real;
  }

  Value::Type type_ = Value::Type::int32;
  std::int64_t integral_ = 0;
  double real_ = 0;
  bool is_date_ = false;
};

class Product {
 public:
  void multiply(const Value& operand) {
    real_ *= operand.number();
    type_ = wider(type_, operand.type());
    if (type_ == Value::Type::real) return;
    if (__builtin_mul_overflow(integral_, operand.integer(), &integral_)) {
      type_ = Value::Type::real;
    }
  }

  Value result() const {
    return type_ == Value::Type::real ? Value::real(real_) : integral(integral_, type_);
  }

 private:
  Value::Type type_ = Value::Type::int32;
  std::int64_t integral_ = 1;
  double real_ = 1;
};

Value difference_of_numbers(const Value& from, const Value& less) {
  const Value::Type type = wider(from.type(), less.type());
  if (type == Value::Type::real) return Value::real(from.number() - less.number());
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(from.integer(), less.integer(), &difference)) {
    return Value::real(from.number() - less.number());
  }
  return integral(difference, type);
}

Value subtract_from_date(const Value& date, const Value& less) {
  if (!less.is_date() && !less.is_number()) {
    refuse_type("$subtract", "a date or a number of milliseconds to take from a date", less);
  }
  const auto amount = less.is_real() ? rounded_long(less.real()) : less.integer();
  std::int64_t difference = 0;
  if (!amount || __builtin_sub_overflow(date.integer(), *amount, &difference)) {
    refuse_date_overflow("$subtract");
  }
  return less.is_date() ? Value::int64(difference) : Value::date(difference);
}

}  // namespace

Value add_all(Arguments arguments, Context& /*context*/) {
  Total total;
  for (const Value& operand : arguments) {
    if (operand.is_nullish()) return Value::null();
    if (!operand.is_number() && !operand.is_date()) {
      refuse_type("$add", "numbers or one date", operand);
    }
    total.add(operand);
  }
  return total.result();
}

Value subtract(Arguments arguments, Context& /*context*/) {
  if (any_nullish(arguments)) return Value::null();
  if (arguments[0].is_date()) return subtract_from_date(arguments[0], arguments[1]);
  for (const Value& operand : arguments) {
    if (!operand.is_number()) refuse_type("$subtract", "two numbers or a date first", operand);
  }
  return difference_of_numbers(arguments[0], arguments[1]);
}

Value multiply_all(Arguments arguments, Context& /*context*/) {
  Product product;
  for (const Value& operand : arguments) {
    if (operand.is_nullish()) return Value::null();
    need_number("$multiply", operand);
    product.multiply(operand);
  }
  return product.result();
}

}  // namespace gantry::data::expr
