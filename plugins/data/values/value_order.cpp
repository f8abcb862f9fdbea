// MongoDB's order of values, and hashes that agree with it.
#include <algorithm>
#include <cmath>
#include <functional>

#include "values/value.hpp"

namespace gantry::data {
namespace {

template <class T>
int sign(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

// 2^63, the least double above every long.
constexpr double kBeyondLong = 9223372036854775808.0;

// Exact: neither operand is rounded.
int compare_mixed(std::int64_t a, double b) {
  if (std::isnan(b)) return 1;
  if (b >= kBeyondLong) return -1;
  if (b < -kBeyondLong) return 1;
  const double whole = std::trunc(b);
  const int by_whole = sign(a, static_cast<std::int64_t>(whole));
  return by_whole != 0 ? by_whole : sign(whole, b);
}

int compare_reals(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return sign(std::isnan(b), std::isnan(a));
  return sign(a, b);
}

int compare_numbers(const Value& a, const Value& b) {
  if (a.is_real()) {
    return b.is_real() ? compare_reals(a.real(), b.real()) : -compare_mixed(b.integer(), a.real());
  }
  return b.is_real() ? compare_mixed(a.integer(), b.real()) : sign(a.integer(), b.integer());
}

// Compared or hashed values may be large: one step for each kPartsBetweenSteps parts, and for each
// long text.
constexpr std::size_t kPartsBetweenSteps = 256;
constexpr std::size_t kLongText = std::size_t{64} << 10;

void step_at(std::size_t part) {
  if (part % kPartsBetweenSteps == kPartsBetweenSteps - 1) Spending::step_current();
}

void step_for(std::string_view text) {
  if (text.size() >= kLongText) Spending::step_current();
}

int compare_texts(std::string_view a, std::string_view b) {
  step_for(a);
  return sign(a, b);
}

int compare_arrays(const Array& a, const Array& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    step_at(i);
    if (const int order = compare(a[i], b[i]); order != 0) return order;
  }
  return sign(a.size(), b.size());
}

int compare_members(const Member& a, const Member& b) {
  const int by_type = sign(type_rank(a.value.type()), type_rank(b.value.type()));
  if (by_type != 0) return by_type;
  const int by_name = sign(a.name, b.name);
  return by_name != 0 ? by_name : compare(a.value, b.value);
}

int compare_objects(const Members& a, const Members& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    step_at(i);
    if (const int order = compare_members(a[i], b[i]); order != 0) return order;
  }
  return sign(a.size(), b.size());
}

std::size_t mix(std::size_t seed, std::size_t more) {
  return seed ^ (more + 0x9e3779b97f4a7c15U + (seed << 6U) + (seed >> 2U));
}

std::size_t hash_of_number(const Value& value) {
  if (!value.is_real()) return std::hash<std::int64_t>()(value.integer());
  const double real = value.real();
  if (std::isnan(real)) return 1;
  const bool is_whole = real >= -kBeyondLong && real < kBeyondLong && std::trunc(real) == real;
  return is_whole ? std::hash<std::int64_t>()(static_cast<std::int64_t>(real))
                  : std::hash<double>()(real);
}

}  // namespace

int type_rank(Value::Type type) {
  static constexpr int kRanks[] = {0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8};
  return kRanks[static_cast<std::size_t>(type)];
}

int compare(const Value& a, const Value& b) {
  if (const int order = sign(type_rank(a.type()), type_rank(b.type())); order != 0) return order;
  switch (a.type()) {
    case Value::Type::missing:
    case Value::Type::null:
      return 0;
    case Value::Type::int32:
    case Value::Type::int64:
    case Value::Type::real:
      return compare_numbers(a, b);
    case Value::Type::string:
      return compare_texts(a.text(), b.text());
    case Value::Type::bytes: {
      const int by_size = sign(a.text().size(), b.text().size());
      return by_size != 0 ? by_size : compare_texts(a.text(), b.text());
    }
    case Value::Type::object:
      return compare_objects(a.members(), b.members());
    case Value::Type::array:
      return compare_arrays(a.elements(), b.elements());
    case Value::Type::boolean:
    case Value::Type::date:
      break;
  }
  return sign(a.integer(), b.integer());
}

int compare_sorted(const Value& a, const Value& b) {
  return a.is_nullish() && b.is_nullish() ? 0 : compare(a, b);
}

std::size_t hash_of(const Value& value) {
  const auto rank = static_cast<std::size_t>(type_rank(value.type()));
  if (value.is_number()) return mix(rank, hash_of_number(value));
  if (value.is_string() || value.is_bytes()) {
    step_for(value.text());
    return mix(rank, std::hash<std::string_view>()(value.text()));
  }
  if (value.is_array()) {
    std::size_t hash = rank;
    std::size_t part = 0;
    for (const Value& element : value.elements()) {
      step_at(part++);
      hash = mix(hash, hash_of(element));
    }
    return hash;
  }
  if (value.is_object()) {
    std::size_t hash = rank;
    std::size_t part = 0;
    for (const Member& member : value.members()) {
      step_at(part++);
      hash = mix(mix(hash, std::hash<std::string>()(member.name)), hash_of(member.value));
    }
    return hash;
  }
  return value.is_nullish() ? rank : mix(rank, static_cast<std::size_t>(value.integer()));
}

}  // namespace gantry::data
