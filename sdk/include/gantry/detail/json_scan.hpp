// gantry/detail/json_scan.hpp: checks that a text is one JSON value, without building a document.
//
// Follows RFC 8259 strictly: validates UTF-8, refuses lone surrogates, limits nesting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gantry::detail {

inline constexpr int kJsonMaxDepth = 64;

constexpr bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The value of four hex digits at `p`, or -1. Four bytes must be readable.
constexpr int hex4(const char* p) {
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(p[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// The length of the UTF-8 sequence at `p`, 0 if it is invalid (overlong, surrogate, truncated).
constexpr std::size_t utf8_length(const char* p, const char* end) {
  const auto at = [p](std::size_t i) { return static_cast<unsigned char>(p[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || static_cast<std::size_t>(end - p) < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = at(1);
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f)) return 0;
  if ((lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) return 0;
  return length;
}

// Scans one value. After a failure `problem` names what was expected at `at`.
class JsonScanner {
 public:
  explicit constexpr JsonScanner(std::string_view text)
      : at_(text.data()), begin_(text.data()), end_(text.data() + text.size()) {}

  constexpr std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  constexpr const char* problem() const { return problem_; }

  // Exactly one value, optionally surrounded by white space.
  constexpr bool document() {
    space();
    if (!value(0)) return false;
    space();
    return at_ == end_ || fail("expected the end of the text");
  }

 private:
  constexpr bool fail(const char* what) {
    if (problem_ == nullptr) problem_ = what;
    return false;
  }
  constexpr void space() {
    while (at_ != end_ && is_json_space(*at_)) ++at_;
  }
  constexpr bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  constexpr bool value(int depth) {
    if (at_ == end_) return fail("expected a value");
    switch (*at_) {
      case '{':
        return depth < kJsonMaxDepth ? object(depth) : fail("nested too deep");
      case '[':
        return depth < kJsonMaxDepth ? array(depth) : fail("nested too deep");
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  constexpr bool object(int depth) {
    ++at_;
    space();
    if (take('}')) return true;
    do {
      space();
      if (at_ == end_ || *at_ != '"') return fail("expected a member's name");
      if (!string()) return false;
      space();
      if (!take(':')) return fail("expected ':'");
      space();
      if (!value(depth + 1)) return false;
      space();
    } while (take(','));
    return take('}') || fail("expected ',' or '}'");
  }

  constexpr bool array(int depth) {
    ++at_;
    space();
    if (take(']')) return true;
    do {
      space();
      if (!value(depth + 1)) return false;
      space();
    } while (take(','));
    return take(']') || fail("expected ',' or ']'");
  }

  constexpr bool word(std::string_view expected) {
    if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, expected.size()) !=
        expected) {
      return fail("expected a value");
    }
    at_ += expected.size();
    return true;
  }

  constexpr bool string() {
    ++at_;
    while (at_ != end_) {
      const char c = *at_;
      if (c == '"') return ++at_, true;
      if (static_cast<unsigned char>(c) < 0x20) return fail("control character in a string");
      if (c == '\\') {
        if (!escape()) return false;
        continue;
      }
      const std::size_t length = utf8_length(at_, end_);
      if (length == 0) return fail("not UTF-8");
      at_ += length;
    }
    return fail("string without an end");
  }

  constexpr bool escape() {
    if (end_ - at_ < 2) return fail("string without an end");
    const char c = at_[1];
    if (c == 'u') return unicode_escape();
    if (std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) {
      return fail("unknown escape");
    }
    at_ += 2;
    return true;
  }

  constexpr bool unicode_escape() {
    const int first = end_ - at_ >= 6 ? hex4(at_ + 2) : -1;
    if (first < 0) return fail("expected four hex digits");
    if (first >= 0xdc00 && first <= 0xdfff) return fail("lone surrogate");
    if (first >= 0xd800 && first <= 0xdbff) {
      const bool paired = end_ - at_ >= 12 && at_[6] == '\\' && at_[7] == 'u';
      const int second = paired ? hex4(at_ + 8) : -1;
      if (second < 0xdc00 || second > 0xdfff) return fail("lone surrogate");
      at_ += 6;
    }
    at_ += 6;
    return true;
  }

  constexpr bool digits() {
    if (at_ == end_ || !is_digit(*at_)) return fail("expected a digit");
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return true;
  }

  constexpr bool number() {
    const bool negative = take('-');
    if (at_ == end_ || !is_digit(*at_))
      return fail(negative ? "expected a digit" : "expected a value");
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      return digits();
    }
    return true;
  }

  const char* at_;
  const char* begin_;
  const char* end_;
  const char* problem_ = nullptr;
};

// The position after the value at `p`, which must be valid JSON.
constexpr const char* skip_json(const char* p, const char* end) {
  int depth = 0;
  while (p != end) {
    const char c = *p;
    if (c == '"') {
      for (++p; p != end && *p != '"'; ++p) {
        if (*p == '\\') ++p;
      }
      ++p;
      if (depth == 0) return p;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return p;  // the end of a number or literal inside its container
      if (--depth == 0) return p + 1;
    }
    if (depth == 0 && (c == ',' || is_json_space(c))) return p;
    ++p;
  }
  return end;
}

}  // namespace gantry::detail
