// The kind of a text that has no declared type.
#include <algorithm>
#include <array>
#include <charconv>

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include "values/ascii.hpp"
#include "values/iso_date.hpp"
#include "values/json_document.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"
#include "write/convert.hpp"
#include "write/dates.hpp"

namespace gantry::data::write {
namespace {

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

bool becomes_other_number(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return false;
  std::string_view number = text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
  if (number.starts_with('+')) number.remove_prefix(1);
  double value = 0;
  const char* const end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, value);
  const bool is_name = number.find_first_of("iInN") != number.npos;  // inf, nan
  if (rest != end || is_name || number.empty()) return false;
  if (error != std::errc()) return true;
  std::string written;
  std::int64_t whole = 0;
  const auto [left, fault] = std::from_chars(number.data(), end, whole);
  fault == std::errc() && left == end ? append_json_integer(whole, written)
                                      : append_json_double(value, written);
  return written != text;
}

namespace {

// Stops at the first number that loses digits.
struct NumberCheck : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, NumberCheck> {
  explicit NumberCheck(bool is_unsigned_taken) : takes_unsigned(is_unsigned_taken) {}
  bool RawNumber(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    const std::string_view number(text, size);
    const auto read = read_json_number(number);
    const bool is_whole =
        read && (std::holds_alternative<std::int64_t>(*read) ||
                 (takes_unsigned && std::holds_alternative<std::uint64_t>(*read)));
    if (is_whole || !loses_digits(number)) return true;
    lost = number;
    return false;
  }
  const bool takes_unsigned;
  std::string lost;
};

}  // namespace

Status check_numbers(std::string_view json, bool takes_unsigned) {
  constexpr unsigned kFlags =
      rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
  rapidjson::Reader reader;
  rapidjson::MemoryStream stream(json.data(), json.size());
  NumberCheck check(takes_unsigned);
  (void)reader.Parse<kFlags>(stream, check);
  if (check.lost.empty()) return {};
  return Status::invalid("the number " + clipped(check.lost) +
                         " has more digits than numbers keep; give it as text");
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
