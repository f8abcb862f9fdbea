// gantry/json_writer.hpp: writes JSON into a string, including commas and escapes.
//
// Owns: nothing; appends to the caller's string, which must outlive the writer.
// Errors: none. Invalid UTF-8 becomes U+FFFD, numbers without a JSON form become null. The caller
// must match begins and ends.
// Threads: one at a time.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include <gantry/detail/json_scan.hpp>

namespace gantry {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out), start_(out.size()) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name) {
    string(name);
    out_ += ':';
    return *this;
  }

  JsonWriter& string(std::string_view text) {
    separate();
    out_ += '"';
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) p = put_character(p, end);
    out_ += '"';
    return *this;
  }

  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }

  template <std::integral Int>
  JsonWriter& number(Int value) {
    return put_number(value);
  }
  // The shortest text that reads back as the same double; integral values without a point.
  JsonWriter& number(double value) {
    if (!std::isfinite(value)) return null();
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (std::trunc(value) == value && std::fabs(value) <= kExact) {
      return put_number(static_cast<long long>(value));
    }
    return put_number(value);
  }

  // Appends `json`, which must be one JSON value.
  JsonWriter& raw(std::string_view json) {
    separate();
    out_ += json;
    return *this;
  }

 private:
  // Writes a comma before a value, unless it is the first of its container or follows a member's
  // name; the last character shows which.
  void separate() {
    if (out_.size() == start_) return;
    const char last = out_.back();
    if (last != '{' && last != '[' && last != ':') out_ += ',';
  }
  JsonWriter& open(char c) {
    separate();
    out_ += c;
    return *this;
  }
  JsonWriter& close(char c) {
    out_ += c;
    return *this;
  }
  template <class Number>
  JsonWriter& put_number(Number value) {
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    return raw(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }

  const char* put_character(const char* p, const char* end) {
    const char c = *p;
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
      return p + 1;
    }
    if (static_cast<unsigned char>(c) < 0x20) return put_control(c), p + 1;
    const std::size_t length = detail::utf8_length(p, end);
    if (length == 0) return out_ += "\xef\xbf\xbd", p + 1;
    out_.append(p, length);
    return p + length;
  }

  void put_control(char c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    switch (c) {
      case '\n':
        out_ += "\\n";
        break;
      case '\t':
        out_ += "\\t";
        break;
      case '\r':
        out_ += "\\r";
        break;
      default:
        out_ += "\\u00";
        out_ += kHex[static_cast<unsigned char>(c) >> 4];
        out_ += kHex[static_cast<unsigned char>(c) & 15];
    }
  }

  std::string& out_;
  std::size_t start_;
};

}  // namespace gantry
