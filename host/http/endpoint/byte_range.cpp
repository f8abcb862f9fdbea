#include "host/http/endpoint/byte_range.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kUnit = "bytes=";

// Digits alone; more than fits is as much as fits.
std::optional<std::uint64_t> number(std::string_view text) {
  const bool digits =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || !digits) return std::nullopt;
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? value : std::numeric_limits<std::uint64_t>::max();
}

ByteRange last_bytes(std::string_view count, std::uint64_t size) {
  const auto wanted = number(count);
  if (!wanted) return {ByteRange::Kind::whole, 0, size};
  if (*wanted == 0 || size == 0) return {ByteRange::Kind::beyond, 0, 0};
  return {ByteRange::Kind::part, size - std::min(*wanted, size), size};
}

}  // namespace

ByteRange byte_range(std::string_view header, std::uint64_t size) {
  const ByteRange whole{ByteRange::Kind::whole, 0, size};
  header = trimmed(header);
  if (!same_ignoring_case(header.substr(0, kUnit.size()), kUnit)) return whole;
  const std::string_view range = trimmed(header.substr(kUnit.size()));
  const auto dash = range.find('-');
  if (dash == std::string_view::npos) return whole;
  if (dash == 0) return last_bytes(range.substr(1), size);
  const auto first = number(range.substr(0, dash));
  const std::string_view rest = range.substr(dash + 1);
  const auto last = rest.empty() ? std::numeric_limits<std::uint64_t>::max() : number(rest);
  if (!first || !last || *last < *first) return whole;
  if (*first >= size) return {ByteRange::Kind::beyond, 0, 0};
  return {ByteRange::Kind::part, *first, std::min(*last, size - 1) + 1};
}

}  // namespace gantry::host::http
