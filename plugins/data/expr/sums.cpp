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

// Beside a date, each double counts as a whole number of milliseconds, half away from zero.
std::int64_t milliseconds_of(std::string_view op, const Value& number) {
  const auto whole = number.is_real() ? rounded_long(number.real()) : number.integer();
  if (!whole) refuse_date_overflow(op);
  return *whole;
}

class Total {
 public:
  void add(const Value& operand) {
    if (operand.is_date()) {
      take_date(operand);
    } else if (is_date_) {
      add_to_date(operand);
    } else {
      add_number(operand);
    }
  }

  Value result() const {
    if (is_date_) return Value::date(integral_);
    return type_ == Value::Type::real ? Value::real(real_) : integral(integral_, type_);
  }

 private:
  // The numbers before the date are summed first and rounded together.
  void take_date(const Value& date) {
    if (is_date_) {
      throw QueryError("$add takes at most one date: use $subtract for the time between two.");
    }
    const Value before = result();
    is_date_ = true;
    integral_ = date.integer();
    add_to_date(before);
  }

  void add_to_date(const Value& number) {
    if (__builtin_add_overflow(integral_, milliseconds_of("$add", number), &integral_)) {
      refuse_date_overflow("$add");
    }
  }

  void add_number(const Value& operand) {
    widen(operand.type());
    if (type_ == Value::Type::real) {
      real_ += operand.number();
    } else {
      add_integral(operand.integer());
    }
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
    real_ = static_cast<double>(integral_) + static_cast<double>(operand);
    type_ = Value::Type::real;
  }

  Value::Type type_ = Value::Type::int32;
  std::int64_t integral_ = 0;  // milliseconds, once there is a date
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
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(date.integer(), milliseconds_of("$subtract", less), &difference)) {
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
