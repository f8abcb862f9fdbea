#include "expr/accumulators/gather_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "values/sorting.hpp"

namespace gantry::data::expr {
namespace {

constexpr int kHalfBits = 32;
constexpr std::int64_t kHalf = std::int64_t{1} << kHalfBits;

using Numbers = std::vector<double, Metered<double>>;

Value number_at(const Numbers& sorted, double share) {
  if (sorted.empty()) return Value::null();
  const auto count = static_cast<double>(sorted.size());
  const double rank = std::clamp(std::ceil(count * share) - 1, 0.0, count - 1);
  return Value::real(sorted[static_cast<std::size_t>(rank)]);
}

}  // namespace

void Sum::add(Value value) {
  if (!value.is_number()) return;
  type_ = wider(type_, value.type());
  if (value.is_real()) {
    real_.add(value.real());
    return;
  }
  high_ += value.integer() >> kHalfBits;
  low_ += value.integer() & (kHalf - 1);
}

Value Sum::result() const {
  const std::int64_t high = high_ + low_ / kHalf;
  const std::int64_t low = low_ % kHalf;
  if (type_ != Value::Type::real) {
    std::int64_t total = 0;
    const bool fits =
        !__builtin_mul_overflow(high, kHalf, &total) && !__builtin_add_overflow(total, low, &total);
    if (fits) return integral(total, type_);
  }
  CompensatedSum all = real_;
  all.add(static_cast<double>(low));
  all.add(static_cast<double>(high) * static_cast<double>(kHalf));
  return Value::real(all.total());
}

void Average::add(Value value) {
  if (!value.is_number()) return;
  ++count_;
  if (value.is_integral() && longs_ == Longs::exact) {
    sum_.add(value.integer());
  } else {
    sum_.add(value.number());
  }
}

Value Average::result() const {
  if (count_ == 0) return Value::null();
  return Value::real(sum_.total() / static_cast<double>(count_));
}

void Deviation::add(Value value) {
  if (!value.is_number()) return;
  const double number = value.number();
  count_ += 1;
  const double delta = number - mean_;
  if (delta == 0) return;
  mean_ += delta / count_;
  squares_ += delta * (number - mean_);
}

Value Deviation::result() const {
  const double count = of_ == Of::sample ? count_ - 1 : count_;
  return count <= 0 ? Value::null() : Value::real(std::sqrt(squares_ / count));
}

void Quantiles::add(Value value) {
  if (value.is_number() && !std::isnan(value.number())) numbers_.push_back(value.number());
}

Value Quantiles::result() const {
  Numbers sorted = numbers_;
  sort_stably(sorted, [](double a, double b) { return a < b; });
  if (shape_ == Shape::single) return number_at(sorted, shares_.front());
  Array results;
  for (const double share : shares_) results.push_back(number_at(sorted, share));
  return Value::array(std::move(results));
}

}  // namespace gantry::data::expr
