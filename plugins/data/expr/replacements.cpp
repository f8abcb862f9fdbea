// $replaceOne and $replaceAll.
#include <algorithm>
#include <string>

#include "expr/strings.hpp"
#include "expr/text.hpp"

namespace gantry::data::expr {
namespace {

// False if one argument is null or missing; the types of all arguments are checked first.
bool are_texts(std::string_view op, const NamedArguments& arguments) {
  static constexpr std::string_view kOperands[] = {"'s input", "'s find", "'s replacement"};
  bool all = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Value& value = arguments[i];
    if (value.is_nullish()) {
      all = false;
    } else if (!value.is_string()) {
      refuse_type(std::string(op).append(kOperands[i]), "a string", value);
    }
  }
  return all;
}

// An empty text matches before each character and at the end.
std::string between_characters(std::string_view text, std::string_view replacement) {
  check_text_size("$replaceAll", text.size() + (count_characters(text) + 1) * replacement.size());
  std::string result;
  result.reserve(text.size() + (count_characters(text) + 1) * replacement.size());
  result.append(replacement);
  for (std::size_t at = 0; at < text.size();) {
    Spending::step_current();
    const std::size_t end = next_character(text, at);
    result.append(text.substr(at, end - at)).append(replacement);
    at = end;
  }
  return result;
}

// The size of the result in bytes; refuses a result that is too long. The text after the last match
// is not counted against the limit, for compatibility.
std::size_t replaced_size(std::string_view text, std::string_view find,
                          std::string_view replacement) {
  std::size_t size = 0;
  std::size_t begin = 0;
  for (auto at = find_text(text, find, 0); at != kNotFound; at = find_text(text, find, begin)) {
    Spending::step_current();
    size += at - begin + replacement.size();
    check_text_size("$replaceAll", size);
    begin = at + find.size();
  }
  return size + text.size() - begin;
}

std::string replaced(std::string_view text, std::string_view find, std::string_view replacement) {
  if (find.empty()) return between_characters(text, replacement);
  std::string result;
  result.reserve(replaced_size(text, find, replacement));
  std::size_t begin = 0;
  for (auto at = find_text(text, find, 0); at != kNotFound; at = find_text(text, find, begin)) {
    Spending::step_current();
    result.append(text.substr(begin, at - begin)).append(replacement);
    begin = at + find.size();
  }
  return result.append(text.substr(begin));
}

}  // namespace

Value replace_one(const NamedArguments& arguments, Context&) {
  if (!are_texts("$replaceOne", arguments)) return Value::null();
  const std::string_view text = arguments[0].text();
  const std::string_view find = arguments[1].text();
  const auto at = find_text(text, find, 0);
  if (at == kNotFound) return arguments[0];
  check_text_size("$replaceOne", text.size() + arguments[2].text().size());
  std::string result;
  result.reserve(text.size() - find.size() + arguments[2].text().size());
  result.append(text.substr(0, at)).append(arguments[2].text());
  return Value::string(std::move(result.append(text.substr(at + find.size()))));
}

Value replace_all(const NamedArguments& arguments, Context&) {
  if (!are_texts("$replaceAll", arguments)) return Value::null();
  return Value::string(replaced(arguments[0].text(), arguments[1].text(), arguments[2].text()));
}

}  // namespace gantry::data::expr
