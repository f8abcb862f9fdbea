#include "number.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <rapidjson/document.h>

namespace gantry::schema::detail {
namespace {

__extension__ using Wide = unsigned __int128;

int order(auto a, auto b) { return a < b ? -1 : (b < a ? 1 : 0); }

constexpr double kTwo63 = 9223372036854775808.0;
constexpr double kTwo64 = 18446744073709551616.0;

int int_to_real(std::int64_t i, double d) {
  if (d >= kTwo63) return -1;
  if (d < -kTwo63) return 1;
  const double whole = std::trunc(d);
  const int by_whole = order(i, static_cast<std::int64_t>(whole));
  return by_whole != 0 ? by_whole : order(whole, d);
}

int uint_to_real(std::uint64_t u, double d) {
  if (d >= kTwo64) return -1;
  if (d < 0) return 1;
  const double whole = std::trunc(d);
  const int by_whole = order(u, static_cast<std::uint64_t>(whole));
  return by_whole != 0 ? by_whole : order(whole, d);
}

int integer_to_real(const Number& a, double d) {
  return a.kind == Number::Kind::kInt ? int_to_real(a.i, d) : uint_to_real(a.u, d);
}

Decimal read_scientific(const char* at, const char* end) {
  Decimal out;
  std::int32_t fraction = 0;
  bool after_point = false;
  for (; at != end && *at != 'e'; ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    out.digits = out.digits * 10 + static_cast<std::uint64_t>(*at - '0');
    fraction += after_point ? 1 : 0;
  }
  if (at != end) {
    const char* digits = at + (at[1] == '+' ? 2 : 1);
    std::from_chars(digits, end, out.exponent);
  }
  out.exponent -= fraction;
  return out;
}

std::uint64_t power_of_ten_mod(std::int32_t power, std::uint64_t mod) {
  Wide result = 1 % mod;
  Wide base = 10 % mod;
  for (; power > 0; power >>= 1) {
    if ((power & 1) != 0) result = result * base % mod;
    base = base * base % mod;
  }
  return static_cast<std::uint64_t>(result);
}

}  // namespace

Number Number::of(const rapidjson::Value& value) {
  Number n;
  if (value.IsInt64()) {
    n.i = value.GetInt64();
  } else if (value.IsUint64()) {
    n.kind = Kind::kUint;
    n.u = value.GetUint64();
  } else {
    n.kind = Kind::kReal;
    n.d = value.GetDouble();
  }
  return n;
}

bool Number::is_integer() const {
  return kind != Kind::kReal || (std::isfinite(d) && d == std::trunc(d));
}

std::string Number::text() const {
  char buffer[40];
  std::to_chars_result end{};
  if (kind == Kind::kInt) {
    end = std::to_chars(buffer, buffer + sizeof buffer, i);
  } else if (kind == Kind::kUint) {
    end = std::to_chars(buffer, buffer + sizeof buffer, u);
  } else {
    end = std::to_chars(buffer, buffer + sizeof buffer, d);
  }
  return {buffer, end.ptr};
}

int compare(const Number& a, const Number& b) {
  using Kind = Number::Kind;
  if (a.kind == b.kind) {
    if (a.kind == Kind::kInt) return order(a.i, b.i);
    if (a.kind == Kind::kUint) return order(a.u, b.u);
    return order(a.d, b.d);
  }
  if (b.kind == Kind::kReal) return integer_to_real(a, b.d);
  if (a.kind == Kind::kReal) return -integer_to_real(b, a.d);
  return a.kind == Kind::kUint ? 1 : -1;
}

Decimal Decimal::of(const Number& x) {
  if (x.kind == Number::Kind::kUint) return {x.u, 0};
  if (x.kind == Number::Kind::kInt) {
    const auto bits = static_cast<std::uint64_t>(x.i);
    return {x.i < 0 ? 0 - bits : bits, 0};
  }
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(x.d), std::chars_format::scientific);
  return read_scientific(buffer, end.ptr);
}

bool is_multiple(const Number& x, const Decimal& divisor) {
  if (x.kind == Number::Kind::kReal && !std::isfinite(x.d)) return false;
  const Decimal value = Decimal::of(x);
  if (value.digits == 0) return true;
  if (value.exponent >= divisor.exponent) {
    const Wide shift = power_of_ten_mod(value.exponent - divisor.exponent, divisor.digits);
    return value.digits % divisor.digits * shift % divisor.digits == 0;
  }
  Wide unit = divisor.digits;
  for (std::int32_t e = value.exponent; e < divisor.exponent; ++e) {
    unit *= 10;
    if (unit > value.digits) return false;
  }
  return value.digits % unit == 0;
}

}  // namespace gantry::schema::detail
