#include "expr/convert.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "expr/dates/free_date.hpp"
#include "expr/number_text.hpp"
#include "expr/numbers.hpp"
#include "values/ascii.hpp"
#include "values/iso_date.hpp"

namespace gantry::data::expr {
namespace {

using Type = Value::Type;

[[noreturn]] void fail_type(const Conversion& to, const Value& from) {
  static constexpr std::string_view kNames[] = {
      "a double", "a string", "binary data", "an ObjectId", "a boolean", "a date",
      "an int",   "a long",   "a decimal",   "a UUID",      "that type"};
  fail_conversion(
      to, from,
      "there is no conversion to " + std::string(kNames[static_cast<std::size_t>(to.target)]));
}

[[noreturn]] void refuse_target(const Conversion& to, std::string_view what) {
  throw QueryError(std::string(to.op) + " would make " + std::string(what) +
                   ", which is not supported here.");
}

// The whole part of a double, when it fits.
std::optional<std::int64_t> whole_part(double value) {
  const double whole = std::trunc(value);
  if (!(whole >= -kBeyondLong && whole < kBeyondLong)) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

// For the three numeric targets; dates and booleans are handled elsewhere.
std::int64_t long_of(const Conversion& to, const Value& from) {
  if (from.is_boolean()) return from.truth() ? 1 : 0;
  if (from.is_integral()) return from.integer();
  std::optional<std::int64_t> whole;
  if (from.is_real()) {
    whole = whole_part(from.real());
    if (!whole) fail_conversion(to, from, "it is NaN or out of range");
  } else if (from.is_string()) {
    whole = parse_whole(from.text());
    if (!whole)
      fail_conversion(to, from, "it needs decimal digits with an optional sign, in range");
  } else {
    fail_type(to, from);
  }
  return *whole;
}

Value to_int(const Conversion& to, const Value& from) {
  if (from.is_bytes()) return bytes_to_number(to, from.text());
  const std::int64_t whole = long_of(to, from);
  if (whole < INT32_MIN || whole > INT32_MAX) fail_conversion(to, from, "it is out of range");
  return Value::int32(static_cast<std::int32_t>(whole));
}

Value to_long(const Conversion& to, const Value& from) {
  if (from.is_bytes()) return bytes_to_number(to, from.text());
  return Value::int64(from.is_date() ? from.integer() : long_of(to, from));
}

Value to_double(const Conversion& to, const Value& from) {
  if (from.is_bytes()) return bytes_to_number(to, from.text());
  if (from.is_boolean()) return Value::real(from.truth() ? 1 : 0);
  if (from.is_number()) return Value::real(from.number());
  if (from.is_date()) return Value::real(static_cast<double>(from.integer()));
  if (!from.is_string()) fail_type(to, from);
  const auto real = parse_real(from.text());
  if (!real) fail_conversion(to, from, "it is no number, or out of range");
  return Value::real(*real);
}

Value to_bool(const Conversion&, const Value& from) {
  return Value::boolean(from.is_number() || from.is_boolean() ? from.is_true() : true);
}

Value to_date(const Conversion& to, const Value& from) {
  if (from.is_date()) return from;
  if (from.is(Type::int64)) return Value::date(from.integer());
  if (from.is_real()) {
    const auto whole = whole_part(from.real());
    if (!whole) fail_conversion(to, from, "it is NaN or out of range");
    return Value::date(*whole);
  }
  if (!from.is_string()) fail_type(to, from);
  const auto instant = parse_free_date(from.text());
  if (!instant) fail_conversion(to, from, "it is no date; write it as 2026-11-21T20:00:00Z");
  return Value::date(*instant);
}

Value date_to_text(const Conversion& to, const Value& from) {
  if (!fits_iso_date(from.integer())) {
    fail_conversion(to, from, "its year is not between 0 and 9999");
  }
  std::string text;
  append_iso_date(from.integer(), text);
  return Value::string(std::move(text));
}

Value to_string(const Conversion& to, const Value& from) {
  if (from.is_string()) return from;
  if (from.is_boolean()) return Value::string(from.truth() ? "true" : "false");
  if (from.is_integral()) return Value::string(std::to_string(from.integer()));
  if (from.is_real()) return Value::string(shortest_text(from.real()));
  if (from.is_date()) return date_to_text(to, from);
  if (from.is_bytes()) return bytes_to_text(to, from.text());
  fail_type(to, from);
}

Value to_bytes(const Conversion& to, const Value& from) {
  if (from.is_bytes()) return from;
  if (from.is_number()) return number_to_bytes(to, from);
  if (from.is_string()) return text_to_bytes(to, from.text());
  fail_type(to, from);
}

bool is_hex(char c) { return hex_digit(c) >= 0; }

Value to_object_id(const Conversion& to, const Value& from) {
  if (!from.is_string()) fail_type(to, from);
  const std::string_view text = from.text();
  if (text.size() != 24 || !std::all_of(text.begin(), text.end(), is_hex)) {
    fail_conversion(to, from, "it needs 24 hexadecimal digits");
  }
  refuse_target(to, "an ObjectId");
}

Value to_decimal(const Conversion& to, const Value& from) {
  if (from.is_string() && !parse_real(from.text())) fail_conversion(to, from, "it is no number");
  if (from.is_object() || from.is_array() || from.is_bytes()) fail_type(to, from);
  refuse_target(to, "a decimal");
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

Value to_uuid(const Conversion& to, const Value& from) {
  if (!from.is_string()) fail_type(to, from);
  if (!is_uuid(from.text())) fail_conversion(to, from, "it is no UUID");
  refuse_target(to, "a UUID");
}

Value to_unsupported(const Conversion& to, const Value& from) { fail_type(to, from); }

}  // namespace

void fail_conversion(const Conversion& to, const Value& from, std::string_view why) {
  throw ConversionFailure(std::string(to.op) + " cannot convert a value of type " +
                          std::string(from.type_name()) + ": " + std::string(why) + ".");
}

Value convert(const Conversion& to, const Value& value) {
  using Converter = Value (*)(const Conversion&, const Value&);
  static constexpr Converter kConverters[] = {to_double,  to_string, to_bytes,      to_object_id,
                                              to_bool,    to_date,   to_int,        to_long,
                                              to_decimal, to_uuid,   to_unsupported};
  return kConverters[static_cast<std::size_t>(to.target)](to, value);
}

}  // namespace gantry::data::expr
