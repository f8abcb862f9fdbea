// gantry/json_writer.hpp: writes JSON into a string, including commas and escapes.
//
//   std::string text;
//   gantry::JsonWriter out(text);
//   out.begin_object().key("name").string(name).key("count").number(3).end_object();
//
// Functions return the writer, for chaining. The text has no white space. For plain structs
// to_json() (fields.hpp) is shorter.
//
// Owns: nothing; appends to the caller's string, which must outlive the writer. The string may have
// text already, and others may append whole values or members between two calls. Errors: none.
// Invalid UTF-8 becomes U+FFFD, numbers without a JSON form become null. The caller must match
// begins and ends, and give each member of an object one key and one value: this is not checked.
// Threads: one at a time.
//
// Costs: one pass over each text, and memory only as the caller's string grows, so reserve() it for
// large results. Limits: none here; an answer has at most 4 MiB unless the operator says otherwise,
// and the host checks that (call.hpp). The only exception is that of a string that cannot grow.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include <gantry/detail/json_scan.hpp>

namespace gantry {

// Appends one value after the other; the last character of the text decides about commas, so the
// writer keeps no stack and nesting has no limit.
class JsonWriter {
 public:
  // The first value is written without a comma, whatever `out` ends with.
  explicit JsonWriter(std::string& out) : out_(out), start_(out.size()) {}

  // Opens and closes a container. The writer does not remember which are open: the caller closes
  // each with the end of its own kind, in the opposite order.
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  // The name of the next value in an object. Names are not compared: writing one twice makes JSON
  // that the contract does not allow.
  // The name is escaped like a string value. It must be followed by exactly one value.
  JsonWriter& key(std::string_view name) {
    string(name);
    out_ += ':';
    return *this;
  }

  // A string value. `text` is UTF-8 and may contain any character; each invalid byte becomes
  // U+FFFD.
  JsonWriter& string(std::string_view text) {
    separate();
    out_ += '"';
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) p = put_character(p, end);
    out_ += '"';
    return *this;
  }

  // The literals true, false and null.
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }

  // All digits, also beyond 2^53, where many clients read a rounded value: write such numbers as
  // strings if they are identifiers.
  template <std::integral Int>
  JsonWriter& number(Int value) {
    return put_number(value);
  }
  // The shortest text that reads back as the same double; integral values up to 2^53 without a
  // point; NaN and the infinities as null. A float is converted to double first.
  JsonWriter& number(double value) {
    if (!std::isfinite(value)) return null();
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (std::trunc(value) == value && std::fabs(value) <= kExact) {
      return put_number(static_cast<long long>(value));
    }
    return put_number(value);
  }

  // Appends `json`, which must be one complete JSON value; it is not checked.
  // A broken or empty `json` breaks the whole text: that is a fault of the caller, which the host
  // finds when it reads the answer. The bytes are copied as they are, with their white space.
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
  // Nothing is to be taken back: commas are written before a value, never after it.
  JsonWriter& close(char c) {
    out_ += c;
    return *this;
  }
  // 32 bytes hold every integer of 64 bits and the shortest form of every double.
  template <class Number>
  JsonWriter& put_number(Number value) {
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    return raw(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }

  // Appends the character at `p` and returns the position after it. Characters beyond ASCII and '/'
  // are written as they are.
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

  // The characters below U+0020, for which JSON has no literal form.
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

  // The caller's string. Appending may move its memory, so keep no view of it between two calls.
  std::string& out_;
  // The length at the beginning: text that was there before decides about no comma.
  std::size_t start_;
};

}  // namespace gantry
