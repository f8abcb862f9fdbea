// $trim, $ltrim and $rtrim.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "expr/strings.hpp"
#include "expr/text.hpp"
#include "values/sorting.hpp"

namespace gantry::data::expr {
namespace {

// The default characters: NUL, the blanks of ASCII and of Unicode up to U+200A, except those that
// MongoDB does not trim.
constexpr std::string_view kBlanks(
    "\0\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A",
    7 + 2 + 3 + 11 * 3);

// The characters to trim: ASCII as flags, the others sorted.
class Characters {
 public:
  explicit Characters(std::string_view text) {
    SmallSteps step;
    for (std::size_t at = 0; at < text.size();) {
      step();
      const std::size_t end = next_character(text, at);
      add(text.substr(at, end - at));
      at = end;
    }
    sort_stably(long_, std::less<>());
    long_.erase(std::unique(long_.begin(), long_.end()), long_.end());
  }
  bool hold(std::string_view character) const {
    if (is_ascii(character)) return ascii_[static_cast<unsigned char>(character.front())];
    return std::binary_search(long_.begin(), long_.end(), character);
  }

 private:
  static bool is_ascii(std::string_view character) {
    return character.size() == 1 && static_cast<unsigned char>(character.front()) < 0x80;
  }
  // Skips duplicates, so that a text with many repeated characters stays small.
  void add(std::string_view character) {
    constexpr std::size_t kLeast = 1024;
    if (is_ascii(character)) {
      ascii_[static_cast<unsigned char>(character.front())] = true;
      return;
    }
    if (long_.size() == long_.capacity() && long_.size() >= kLeast) {
      sort_stably(long_, std::less<>());
      long_.erase(std::unique(long_.begin(), long_.end()), long_.end());
      long_.reserve(2 * long_.size() + kLeast);
    }
    long_.push_back(character);
  }

  std::array<bool, 0x80> ascii_{};
  std::vector<std::string_view, Metered<std::string_view>> long_;
};

std::string_view without_front(std::string_view text, const Characters& chars) {
  SmallSteps step;
  std::size_t at = 0;
  while (at < text.size()) {
    step();
    const std::size_t end = next_character(text, at);
    if (!chars.hold(text.substr(at, end - at))) break;
    at = end;
  }
  return text.substr(at);
}

std::string_view without_back(std::string_view text, const Characters& chars) {
  SmallSteps step;
  while (!text.empty()) {
    step();
    std::size_t at = text.size() - 1;
    while (at > 0 && continues_character(text[at])) --at;
    if (!chars.hold(text.substr(at))) break;
    text.remove_suffix(text.size() - at);
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
  const Characters trimmed(arguments.given[1] ? chars.text() : kBlanks);
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
