// Which URIs a template stands for: literals, and variables of one character or more but '/'.
#include <cstdlib>

#include "items.hpp"

namespace gantry::testing::detail {
namespace {

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      out +=
          static_cast<char>(std::strtol(std::string(text.substr(i + 1, 2)).c_str(), nullptr, 16));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Where the value at the beginning of `uri` ends so that `rest` of the template can follow.
std::size_t end_of_value(std::string_view uri, std::string_view rest) {
  const std::size_t open = rest.find('{');
  const std::string_view literal = rest.substr(0, open);
  if (open == std::string_view::npos) {  // nothing may be left over
    return uri.ends_with(literal) ? uri.size() - literal.size() : std::string_view::npos;
  }
  return uri.find(literal, 1);
}

}  // namespace

std::optional<std::vector<std::pair<std::string, std::string>>> match_template(
    std::string_view uri_template, std::string_view uri) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (;;) {
    const std::size_t open = uri_template.find('{');
    const std::string_view literal = uri_template.substr(0, open);
    if (!uri.starts_with(literal)) return std::nullopt;
    uri.remove_prefix(literal.size());
    if (open == std::string_view::npos) break;
    const std::size_t close = uri_template.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view name = uri_template.substr(open + 1, close - open - 1);
    uri_template.remove_prefix(close + 1);
    const std::size_t end = end_of_value(uri, uri_template);
    if (end == std::string_view::npos || end == 0 || end > uri.find('/')) return std::nullopt;
    variables.emplace_back(name, percent_decoded(uri.substr(0, end)));
    uri.remove_prefix(end);
  }
  if (!uri.empty()) return std::nullopt;
  return variables;
}

}  // namespace gantry::testing::detail
