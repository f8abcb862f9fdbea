#include "expr/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "expr/numbers.hpp"
#include "expr/registry.hpp"
#include "values/iso_date.hpp"
#include "values/query_error.hpp"

namespace gantry::data::expr {
namespace {

std::string six_digits(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%g", value);
  std::string text(buffer.data(), static_cast<std::size_t>(length));
  std::replace(text.begin(), text.end(), ',', '.');  // whatever the locale
  return text;
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string ascii_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return result;
}

std::string ascii_upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - ('a' - 'A'));
  }
  return result;
}

std::string coerce_to_text(std::string_view op, const Value& value) {
  if (value.is_string()) return std::string(value.text());
  if (value.is_nullish()) return {};
  if (value.is_integral()) return std::to_string(value.integer());
  if (value.is_real()) return six_digits(value.real());
  if (value.is_date()) return date_text(op, value.integer());
  refuse_type(op, "strings, numbers or dates", value);
}

std::string date_text(std::string_view op, std::int64_t milliseconds) {
  if (!fits_iso_date(milliseconds)) {
    throw QueryError(std::string(op) + " writes dates of the years 0 to 9999 only.");
  }
  std::string text;
  append_iso_date(milliseconds, text);
  return text;
}

void check_text_size(std::string_view op, std::size_t size) {
  if (size <= kLongestText) return;
  throw QueryError(std::string(op) + " would make more than " + std::to_string(kLongestText >> 20) +
                   " MiB of text.");
}

std::int32_t whole_int(std::string_view whose, const Value& value) {
  if (!value.is_number()) refuse_type(whose, "a whole number", value);
  const auto whole = whole_long(value);
  if (!whole || *whole < INT32_MIN || *whole > INT32_MAX) {
    throw QueryError(std::string(whose) + " needs a whole number of 32 bits.");
  }
  return static_cast<std::int32_t>(*whole);
}

}  // namespace gantry::data::expr
