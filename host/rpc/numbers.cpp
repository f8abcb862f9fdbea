#include "host/rpc/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace gantry::host::rpc {
namespace {

constexpr long kMaxPower = 22;  // of ten: what the exact way for small numbers takes
constexpr std::size_t kMaxExponentDigits = 8;

// The power of ten after the "e"; nothing when it has more digits than that.
std::optional<long> exponent_of(std::string_view text) {
  const bool minus = text.starts_with('-');
  text.remove_prefix(std::min(text.find_first_of("123456789"), text.size()));
  if (text.size() > kMaxExponentDigits) return std::nullopt;
  long exponent = 0;
  std::from_chars(text.data(), text.data() + text.size(), exponent);
  return minus ? -exponent : exponent;
}

bool is_unreadable(std::string_view number) {
  const auto e = std::min(number.find_first_of("eE"), number.size());
  const auto exponent = exponent_of(number.substr(std::min(e + 1, number.size())));
  if (!exponent) return true;
  const auto mantissa = number.substr(0, e);
  if (mantissa.find_first_of("123456789") != mantissa.npos) return false;
  const auto point = mantissa.find('.');
  const auto places = point == mantissa.npos ? 0 : static_cast<long>(mantissa.size() - point - 1);
  return std::abs(*exponent - places) > kMaxPower;
}

// Behind the string that starts at `at`.
std::size_t string_end(std::string_view json, std::size_t at) {
  for (++at; (at = json.find_first_of("\"\\", at)) != json.npos; at += 2) {
    if (json[at] == '"') return at + 1;
  }
  return json.size();
}

}  // namespace

std::optional<std::size_t> unreadable_number(std::string_view json) {
  constexpr std::string_view kOfNumbers = "0123456789+-.eE";
  for (std::size_t at = 0; (at = json.find_first_of("\"0123456789", at)) < json.size();) {
    if (json[at] == '"') {
      at = string_end(json, at);
      continue;
    }
    const auto end = std::min(json.find_first_not_of(kOfNumbers, at), json.size());
    if (is_unreadable(json.substr(at, end - at))) return at;
    at = end;
  }
  return std::nullopt;
}

}  // namespace gantry::host::rpc
