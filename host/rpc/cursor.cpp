#include "host/rpc/cursor.hpp"

#include <algorithm>
#include <charconv>

#include "host/base/json.hpp"
#include "host/base/text.hpp"

namespace gantry::host::rpc {

std::string make_cursor(const std::vector<std::string>& names, std::size_t last) {
  std::string out;
  append_base64(out, "after " + std::to_string(last) + " " + names[last]);
  return out;
}

std::optional<std::size_t> place_of_cursor(std::string_view cursor,
                                           const std::vector<std::string>& names) {
  constexpr std::string_view kBegin = "after ";
  const auto text = from_base64(cursor);
  if (!text || !text->starts_with(kBegin)) return std::nullopt;
  const std::string_view rest = std::string_view(*text).substr(kBegin.size());
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), place);
  if (error != std::errc() || end == rest.data() + rest.size() || *end != ' ') return std::nullopt;
  const std::string_view name = rest.substr(static_cast<std::size_t>(end - rest.data()) + 1);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin()) + 1;
  return std::min(place, names.size());  // it is gone: what stood after it moved up
}

}  // namespace gantry::host::rpc
