// gantry/json.hpp: reads JSON text in place, without a document and without dependencies.
//
//   const auto json = gantry::Json::parse(text);
//   if (!json) return json.status();
//   const auto limit = json->find("limit");
//   const std::int64_t count = limit ? limit->as_integer().value_or(10) : 10;
//
// A Json is a view of one value inside a text that the caller owns; a copy is two pointers, and it
// is valid as long as the text. parse() validates the whole text once (RFC 8259, UTF-8 without lone
// surrogates); later operations rely on that. Looking up a member or element scans the values
// before it: suitable for arguments, not for megabytes. For arguments of a known shape a struct
// with fields() (fields.hpp) is shorter and checks more.
//
// Limits: nesting up to 64. The first of several members with one name is used. Errors: a value of
// another kind gives an empty optional, never an exception. Threads: values; any.
//
// Owns: nothing. The caller owns the text and must not change it while a view of it lives:
// appending to a std::string may move its bytes, and every Json of it then dangles. as_string(),
// and the names that members() gives, are copies that belong to the caller. Costs: parse() reads
// the text once and allocates only for the message of an error; find() and members() copy each name
// that they pass.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/detail/json_scan.hpp>
#include <gantry/result.hpp>

namespace gantry {

// One JSON value. Operations that read the value's own text cost its length; kind() and the is_…
// functions look at one character.
// It has more than twenty methods: a test and a reader for each kind of value.
class Json {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
  // Single-pass ranges; each begin() starts anew.
  class Elements;
  class Members;

  // null, as a view of a static text: a value for what is absent.
  Json() = default;  // null

  // Exactly one value, with white space around it at most. `text` must outlive the view and all
  // views made from it. The message of GANTRY_INVALID_ARGUMENT names the byte, counted from 0, and
  // the expected syntax: "not JSON: expected ':' at byte 7".
  static Result<Json> parse(std::string_view text) {
    detail::JsonScanner scanner(text);
    if (scanner.document()) return Json(trim(text));
    return Status::invalid("not JSON: " + std::string(scanner.problem()) + " at byte " +
                           std::to_string(scanner.offset()));
  }

  // The kind of the value, read from its first character: no scan, no allocation, no error. A Json
  // made without a text is null.
  Kind kind() const {
    switch (text_.front()) {
      case '{':
        return Kind::object;
      case '[':
        return Kind::array;
      case '"':
        return Kind::string;
      case 't':
      case 'f':
        return Kind::boolean;
      case 'n':
        return Kind::null;
      default:
        return Kind::number;
    }
  }
  // For the other kinds ask as_bool() and as_double(), which also give the value.
  bool is_null() const { return kind() == Kind::null; }
  bool is_object() const { return kind() == Kind::object; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_string() const { return kind() == Kind::string; }

  // The kind in JSON Schema's terms: "integer" for a number with an integral value.
  // For messages: the text is static. A number that as_integer() cannot give, such as 1.5 or 1e30,
  // is "number".
  std::string_view kind_name() const {
    constexpr std::string_view kNames[] = {"null",   "boolean", "number",
                                           "string", "array",   "object"};
    if (kind() == Kind::number && as_integer()) return "integer";
    return kNames[static_cast<int>(kind())];
  }

  // The value's text, unchanged: a string with its quotes and escapes, a container with the white
  // space inside it. A view of the caller's text.
  std::string_view text() const { return text_; }

  // Only true and false; 0, 1 and "true" are other kinds.
  std::optional<bool> as_bool() const {
    if (kind() != Kind::boolean) return {};
    return text_.front() == 't';
  }

  // A number with an integral value: 3, 3.0 and 3e0. Empty if it does not fit 64 bits, or if it is
  // written with a point or exponent and exceeds 2^53. A string of digits is not a number.
  std::optional<std::int64_t> as_integer() const { return integer<std::int64_t>(); }
  // The same without a sign: a negative number is empty, and -0 is 0.
  std::optional<std::uint64_t> as_unsigned() const { return integer<std::uint64_t>(); }

  // Rounded to the nearest double; a number too small for one becomes 0. Empty if it is not a
  // number or exceeds the range of a double.
  std::optional<double> as_double() const {
    if (kind() != Kind::number) return {};
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return underflows() ? std::optional<double>(0.0) : std::nullopt;
    return value;
  }

  // The string with its escapes resolved, as UTF-8. It may contain NUL ("\u0000").
  // The caller owns the copy. Empty if this is not a string, such as a number or null.
  std::optional<std::string> as_string() const {
    if (kind() != Kind::string) return {};
    return unescape(text_.substr(1, text_.size() - 2));
  }

  // The member `name` of an object; empty if there is none or this is not an object. Names are
  // compared with their escapes resolved. Each call scans the object from its beginning.
  std::optional<Json> find(std::string_view name) const;

  // For range-for: the elements of an array; none for other kinds. The views may outlive the range.
  Elements elements() const;
  // For range-for: pairs of name and value in the order of the text; none if this is not an object.
  // The name is a std::string with its escapes resolved, and members with the same name all appear.
  Members members() const;

 private:
  // `text` is one valid value without white space around it.
  explicit Json(std::string_view text) : text_(text) {}

  // parse() has found a value, so there is something else than white space.
  static std::string_view trim(std::string_view text) {
    while (detail::is_json_space(text.front())) text.remove_prefix(1);
    while (detail::is_json_space(text.back())) text.remove_suffix(1);
    return text;
  }

  // Digits alone are read exactly; other forms through a double, which is exact up to 2^53.
  template <class Int>
  std::optional<Int> integer() const {
    if (kind() != Kind::number) return {};
    if (text_.find_first_of(".eE") == std::string_view::npos) {
      Int value = 0;
      const std::string_view digits = text_ == "-0" ? "0" : text_;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (error != std::errc() || end != digits.data() + digits.size()) return {};
      return value;
    }
    const std::optional<double> value = as_double();
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (!value || std::trunc(*value) != *value || std::fabs(*value) > kExact) return {};
    if (std::is_unsigned_v<Int> && *value < 0) return {};
    return static_cast<Int>(*value);
  }

  // from_chars reports underflow and overflow with the same error; this distinguishes them.
  bool underflows() const {
    const std::size_t at = text_.find_first_of("eE");
    return at != std::string_view::npos ? text_[at + 1] == '-'
                                        : text_.find_first_not_of("-0.") > text_.find('.');
  }

  // Appends a scalar value, at most U+10FFFF, as 1 to 4 bytes of UTF-8. parse() has refused lone
  // surrogates.
  static void append_utf8(std::string& out, std::uint32_t code) {
    const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
      put(0xc0 | (code >> 6));
    } else if (code < 0x10000) {
      put(0xe0 | (code >> 12));
      put(0x80 | ((code >> 6) & 0x3f));
    } else {
      put(0xf0 | (code >> 18));
      put(0x80 | ((code >> 12) & 0x3f));
      put(0x80 | ((code >> 6) & 0x3f));
    }
    put(0x80 | (code & 0x3f));
  }

  // `at` is the position after "\u"; returns the position after the last consumed digit. A high
  // surrogate is followed by its low one, because parse() refuses others.
  static std::size_t append_unicode(std::string& out, std::string_view body, std::size_t at) {
    auto code = static_cast<std::uint32_t>(detail::hex4(body.data() + at));
    at += 4;
    if (code >= 0xd800 && code <= 0xdbff) {
      const auto low = static_cast<std::uint32_t>(detail::hex4(body.data() + at + 2));
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      at += 6;
    }
    append_utf8(out, code);
    return at;
  }

  // `body` is the text between the quotes.
  // Its escapes are valid, since parse() has checked them: the eight short forms and \u are all
  // that remain. The result is never longer than `body`.
  static std::string unescape(std::string_view body) {
    std::string out;
    out.reserve(body.size());
    for (std::size_t i = 0; i < body.size();) {
      if (body[i] != '\\') {
        out += body[i++];
        continue;
      }
      const char c = body[i + 1];
      i += 2;
      switch (c) {
        case 'b':
          out += '\b';
          break;
        case 'f':
          out += '\f';
          break;
        case 'n':
          out += '\n';
          break;
        case 'r':
          out += '\r';
          break;
        case 't':
          out += '\t';
          break;
        case 'u':
          i = append_unicode(out, body, i);
          break;
        default:
          out += c;
      }
    }
    return out;
  }

  // Iterates over the inside of a container.
  class Cursor {
   public:
    Cursor() = default;
    // `container` is an object or array with its brackets. Its views end with its text.
    explicit Cursor(std::string_view container)
        : at_(container.data() + 1), end_(container.data() + container.size() - 1) {
      skip_separators();
    }
    bool done() const { return at_ == end_; }
    // Moves behind the value and the separator that follows. done() must be false: there is no
    // check.
    Json take() {
      const char* const from = at_;
      at_ = detail::skip_json(at_, end_);
      const Json value(std::string_view(from, static_cast<std::size_t>(at_ - from)));
      skip_separators();
      return value;
    }

   private:
    void skip_separators() {
      while (at_ != end_ && (detail::is_json_space(*at_) || *at_ == ',' || *at_ == ':')) ++at_;
    }
    const char* at_ = nullptr;
    const char* end_ = nullptr;
  };

  // The common part of both ranges: an input iterator over a Cursor.
  // It reads one value ahead, and operator* is valid until the next ++. Keep a copy of the value,
  // which is a view of the text, to use it longer.
  template <class Range>
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    explicit Iterator(Cursor cursor) : cursor_(cursor) { ++*this; }
    const auto& operator*() const { return value_; }
    Iterator& operator++() {
      done_ = cursor_.done();
      if (!done_) value_ = Range::take(cursor_);
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return done_; }

   private:
    Cursor cursor_;
    typename Range::Value value_;
    bool done_ = false;
  };

  // Never empty, because kind() reads its first character.
  std::string_view text_ = "null";
};

// The range of elements(): values in order.
// A range may be walked more than once: each walk scans the text again, and no list of elements is
// kept.
class Json::Elements {
 public:
  using Value = Json;
  explicit Elements(Cursor cursor) : cursor_(cursor) {}
  auto begin() const { return Iterator<Elements>(cursor_); }
  std::default_sentinel_t end() const { return {}; }
  static Value take(Cursor& cursor) { return cursor.take(); }

 private:
  Cursor cursor_;
};

// The range of members(): a name and its value, in order.
// Each name is a new std::string, so that an object with many members costs one allocation for each
// long name.
class Json::Members {
 public:
  using Value = std::pair<std::string, Json>;
  explicit Members(Cursor cursor) : cursor_(cursor) {}
  auto begin() const { return Iterator<Members>(cursor_); }
  std::default_sentinel_t end() const { return {}; }
  static Value take(Cursor& cursor) {
    std::string name = *cursor.take().as_string();
    return {std::move(name), cursor.take()};
  }

 private:
  Cursor cursor_;
};

inline Json::Elements Json::elements() const {
  return Elements(is_array() ? Cursor(text_) : Cursor());
}

inline Json::Members Json::members() const {
  return Members(is_object() ? Cursor(text_) : Cursor());
}

inline std::optional<Json> Json::find(std::string_view name) const {
  for (const auto& [key, value] : members()) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace gantry
