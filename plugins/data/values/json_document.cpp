#include "values/json_document.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include "values/ascii.hpp"

namespace gantry::data {
namespace {

template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_all = error == std::errc() && end == text.data() + text.size();
  return is_all ? std::optional<T>(value) : std::nullopt;
}

// from_chars reports underflow and overflow with the same error: underflow is zero, overflow
// nothing.
std::optional<double> extreme(std::string_view text) {
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

}  // namespace

std::size_t document_bytes(std::string_view json) {
  constexpr std::size_t kFirstBlock = std::size_t{64} << 10;
  if (json.size() < kFirstBlock) return 0;
  const auto begins_value = [](char c) { return c == ',' || c == ':' || c == '[' || c == '{'; };
  const auto values = std::count_if(json.begin(), json.end(), begins_value);
  return json.size() + (static_cast<std::size_t>(values) + 1) * sizeof(rapidjson::Value);
}

std::optional<std::variant<std::int64_t, std::uint64_t, double>> read_json_number(
    std::string_view text) {
  // A whole number, after its sign.
  if (std::all_of(text.begin() + 1, text.end(), is_digit)) {
    if (const auto value = whole<std::int64_t>(text)) return *value;
    if (const auto value = whole<std::uint64_t>(text)) return *value;
  }
  if (const auto value = whole<double>(text)) return *value;
  if (const auto value = extreme(text)) return *value;
  return std::nullopt;
}

}  // namespace gantry::data
