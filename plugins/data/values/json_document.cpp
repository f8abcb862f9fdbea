#include "values/json_document.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace gantry::data {
namespace {

template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_all = error == std::errc() && end == text.data() + text.size();
  return is_all ? std::optional<T>(value) : std::nullopt;
}

// Too small is zero, too large nothing: from_chars says of both that they are out of range.
std::optional<double> extreme(std::string_view text) {
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

}  // namespace

std::optional<std::variant<std::int64_t, std::uint64_t, double>> read_json_number(
    std::string_view text) {
  if (text.find_first_of(".eE") == std::string_view::npos) {
    if (const auto value = whole<std::int64_t>(text)) return *value;
    if (const auto value = whole<std::uint64_t>(text)) return *value;
  }
  if (const auto value = whole<double>(text)) return *value;
  if (const auto value = extreme(text)) return *value;
  return std::nullopt;
}

}  // namespace gantry::data
