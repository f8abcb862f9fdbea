// $trim and its halves.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "expr/strings.hpp"
#include "expr/text.hpp"

namespace gantry::data::expr {
namespace {

using Characters = std::vector<std::string_view>;

// What is trimmed when nobody says what: the zero byte and the blanks of ASCII and of Unicode up to
// U+200A, without the ones MongoDB leaves out.
constexpr std::string_view kBlanks(
    "\0\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A",
    7 + 2 + 3 + 11 * 3);

Characters characters_of(std::string_view text) {
  Characters result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = next_character(text, at);
    result.push_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

std::string_view without_front(std::string_view text, const Characters& chars) {
  const auto begins = [&](std::string_view c) { return text.starts_with(c); };
  for (auto it = chars.begin(); it != chars.end();) {
    it = std::find_if(chars.begin(), chars.end(), begins);
    if (it != chars.end()) text.remove_prefix(it->size());
  }
  return text;
}

std::string_view without_back(std::string_view text, const Characters& chars) {
  const auto ends = [&](std::string_view c) { return text.ends_with(c); };
  for (auto it = chars.begin(); it != chars.end();) {
    it = std::find_if(chars.begin(), chars.end(), ends);
    if (it != chars.end()) text.remove_suffix(it->size());
  }
  return text;
}

Value trim_ends(std::string_view op, const NamedArguments& arguments, bool front, bool back) {
  const Value& input = arguments[0];
  const Value& chars = arguments[1];
  if (input.is_nullish()) return Value::null();
  if (!input.is_string()) refuse_type(std::string(op) + "'s input", "a string", input);
  if (arguments.given[1] && chars.is_nullish()) return Value::null();
  if (arguments.given[1] && !chars.is_string()) {
    refuse_type(std::string(op) + "'s chars", "a string", chars);
  }
  const Characters trimmed = characters_of(arguments.given[1] ? chars.text() : kBlanks);
  std::string_view text = input.text();
  if (front) text = without_front(text, trimmed);
  if (back) text = without_back(text, trimmed);
  return text.size() == input.text().size() ? input : Value::string(std::string(text));
}

}  // namespace

Value trim(const NamedArguments& arguments, Context&) {
  return trim_ends("$trim", arguments, true, true);
}
Value trim_left(const NamedArguments& arguments, Context&) {
  return trim_ends("$ltrim", arguments, true, false);
}
Value trim_right(const NamedArguments& arguments, Context&) {
  return trim_ends("$rtrim", arguments, false, true);
}

}  // namespace gantry::data::expr
