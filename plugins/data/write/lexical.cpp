// The kind of a text that has no declared type.
#include <algorithm>
#include <array>
#include <charconv>

#include "values/iso_date.hpp"
#include "write/convert.hpp"
#include "write/dates.hpp"

namespace gantry::data::write {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// -?(0|[1-9][0-9]*) then anything.
bool begins_as_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0])) return false;
  return text[0] != '0' || text.size() == 1 || !is_digit(text[1]);
}

bool is_boolean(std::string_view text) {
  return text == "true" || text == "false" || text == "TRUE" || text == "FALSE" || text == "True" ||
         text == "False";
}

// A number's digits without the zeros at either end, times ten to the power of `exponent`.
struct Decimal {
  std::string digits;
  long exponent = 0;
  bool operator==(const Decimal&) const = default;
};

Decimal decimal_of(std::string_view text) {
  Decimal out;
  const auto mark = std::min(text.find_first_of("eE"), text.size());
  std::string_view power = text.substr(std::min(mark + 1, text.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  (void)std::from_chars(power.data(), power.data() + power.size(), out.exponent);
  bool is_fraction = false;
  for (const char c : text.substr(0, mark)) {
    is_fraction = is_fraction || c == '.';
    if (!is_digit(c)) continue;
    out.exponent -= is_fraction ? 1 : 0;
    if (c != '0' || !out.digits.empty()) out.digits += c;
  }
  while (out.digits.ends_with('0')) {
    out.digits.pop_back();
    ++out.exponent;
  }
  if (out.digits.empty()) out.exponent = 0;
  return out;
}

// As JSON writes numbers: nothing but digits, point, exponent.
bool is_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end && is_digit(text.back());
}

}  // namespace

bool loses_digits(std::string_view text) {
  if (!begins_as_number(text) || !is_number(text)) return false;
  double value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);
  std::array<char, 32> shortest{};
  const auto end = std::to_chars(shortest.data(), shortest.data() + shortest.size(), value).ptr;
  return decimal_of(text) != decimal_of({shortest.data(), end});
}

Form lexical_form(std::string_view text) {
  if (is_boolean(text)) return Form::boolean;
  if (begins_as_number(text)) {
    std::int64_t whole = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, whole);
    if (rest == end) return error == std::errc() && text != "-0" ? Form::integer : Form::text;
    if (is_number(text)) return loses_digits(text) ? Form::text : Form::number;
  }
  const bool is_date = parse_iso_date(text) && !is_finer_than_milliseconds(text);
  return is_date ? Form::date_ms : Form::text;
}

Form common_form(Form a, Form b) {
  if (a == b) return a;
  const auto numeric = [](Form form) { return form == Form::integer || form == Form::number; };
  return numeric(a) && numeric(b) ? Form::number : Form::text;
}

}  // namespace gantry::data::write
