#include "host/base/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "host/base/text.hpp"

namespace gantry::host {
namespace {

constexpr long kMaxPower = 22;  // largest power of ten of RapidJSON's exact path
constexpr std::size_t kMaxExponentDigits = 8;
// Of the first digit: numbers between these are doubles and not zero.
constexpr long kLeastMagnitude = -324, kMostMagnitude = 308;

// The power of ten after the "e"; nothing when it has more digits than that.
std::optional<long> exponent_of(std::string_view text) {
  const bool minus = text.starts_with('-');
  text.remove_prefix(std::min(text.find_first_of("123456789"), text.size()));
  if (text.size() > kMaxExponentDigits) return std::nullopt;
  long exponent = 0;
  std::from_chars(text.data(), text.data() + text.size(), exponent);
  return minus ? -exponent : exponent;
}

bool is_of_number(char c) {
  return is_digit(c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

struct Parts {
  explicit Parts(std::string_view number) {
    const auto e = std::min(number.find_first_of("eE"), number.size());
    mantissa = number.substr(0, e);
    exponent = exponent_of(number.substr(std::min(e + 1, number.size())));
    point = std::min(mantissa.find('.'), mantissa.size());
    first = mantissa.find_first_of("123456789");
  }
  bool is_zero() const { return first == mantissa.npos; }
  // The power of ten of the first digit that is not zero.
  long magnitude() const {
    const auto distance = static_cast<long>(point) - static_cast<long>(first);
    return *exponent + (distance > 0 ? distance - 1 : distance);
  }
  long places() const {
    return point == mantissa.size() ? 0 : static_cast<long>(mantissa.size() - point - 1);
  }

  std::string_view mantissa;
  std::optional<long> exponent;  // nothing: it has too many digits
  std::size_t point = 0, first = 0;
};

// Has an exponent that is not too long. False: zero as a double, or none.
bool is_in_range(std::string_view number, const Parts& parts) {
  const long magnitude = parts.magnitude();
  if (magnitude > kLeastMagnitude && magnitude < kMostMagnitude) return true;
  double value = 0;
  const char* end = number.data() + number.size();
  return std::from_chars(number.data(), end, value).ec == std::errc() && value != 0;
}

bool is_unreadable(std::string_view number) {
  if (std::all_of(number.begin(), number.end(), is_digit)) return false;
  const Parts parts(number);
  if (!parts.exponent) return true;
  if (parts.is_zero()) return std::abs(*parts.exponent - parts.places()) > kMaxPower;
  return !is_in_range(number, parts);
}

// The position after the string that starts at `at`.
std::size_t string_end(std::string_view json, std::size_t at) {
  for (++at; at < json.size(); ++at) {
    if (json[at] == '"') return at + 1;
    if (json[at] == '\\') ++at;
  }
  return json.size();
}

std::size_t digits(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

// By JSON's grammar, without a sign.
bool is_number(std::string_view number) {
  const std::size_t whole = digits(number);
  if (whole == 0 || (whole > 1 && number.front() == '0')) return false;
  number.remove_prefix(whole);
  if (number.starts_with('.')) {
    number.remove_prefix(1);
    const std::size_t places = digits(number);
    if (places == 0) return false;
    number.remove_prefix(places);
  }
  if (number.empty()) return true;
  if (number.front() != 'e' && number.front() != 'E') return false;
  number.remove_prefix(1);
  if (number.starts_with('-') || number.starts_with('+')) number.remove_prefix(1);
  return !number.empty() && digits(number) == number.size();
}

// As a double.
bool is_zero(std::string_view number) {
  const Parts parts(number);
  if (!is_number(number)) return false;
  if (parts.is_zero()) return true;
  return parts.exponent && parts.magnitude() < 0 && !is_in_range(number, parts);
}

// False: the text has no exponent and no "0.", so every number is readable. Has no branches, so
// that the compiler can vectorize it.
bool may_be_unreadable(std::string_view json) {
  unsigned found = 0;
  for (std::size_t i = 0; i + 1 < json.size(); ++i) {
    const char c = json[i], next = json[i + 1];
    const unsigned digit = static_cast<unsigned>(c >= '0') & static_cast<unsigned>(c <= '9');
    found |= digit & static_cast<unsigned>((next | 0x20) == 'e');
    found |= static_cast<unsigned>(c == '0') & static_cast<unsigned>(next == '.');
  }
  return found != 0;
}

// Calls look(place, number) for each number outside strings, from its first digit, until it returns
// true.
template <class Look>
void each_number(std::string_view json, Look look) {
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      at = string_end(json, at);
    } else if (is_digit(json[at])) {
      std::size_t end = at;
      while (end < json.size() && is_of_number(json[end])) ++end;
      if (look(at, json.substr(at, end - at))) return;
      at = end;
    } else {
      ++at;
    }
  }
}

// What is too short for "0.0" is no number: "1e".
void blank_out(std::string& json, std::size_t at, std::size_t size) {
  std::string plain = "0.0";
  plain.resize(size, ' ');
  json.replace(at, size, plain);
}

}  // namespace

std::optional<std::string> with_plain_zeros(std::string_view json) {
  std::optional<std::string> out;
  each_number(json, [&](std::size_t at, std::string_view number) {
    if (!is_zero(number) || !is_unreadable(number)) return false;
    if (!out) out.emplace(json);
    blank_out(*out, at, number.size());
    return false;
  });
  return out;
}

std::string without_unreadable(std::string_view json) {
  std::string out(json);
  each_number(json, [&](std::size_t at, std::string_view number) {
    if (is_unreadable(number)) blank_out(out, at, number.size());
    return false;
  });
  return out;
}

std::optional<std::size_t> unreadable_number(std::string_view json) {
  if (!may_be_unreadable(json)) return std::nullopt;
  std::optional<std::size_t> found;
  each_number(json, [&](std::size_t at, std::string_view number) {
    if (is_unreadable(number)) found = at;
    return found.has_value();
  });
  return found;
}

std::optional<std::size_t> make_readable(std::string_view& json, std::string& mended) {
  if (!unreadable_number(json)) return std::nullopt;
  if (auto plain = with_plain_zeros(json)) json = mended = std::move(*plain);
  return unreadable_number(json);
}

}  // namespace gantry::host
