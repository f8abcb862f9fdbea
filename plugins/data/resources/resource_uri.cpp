#include "resources/resource_uri.hpp"

#include "values/ascii.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kScheme = "data://";
constexpr std::string_view kDigits = "0123456789ABCDEF";

bool is_unreserved(char c) {
  return is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace

std::string_view part_name(ResourcePart part) {
  return part_template(part).substr(std::string_view("data://{class}/").size());
}

std::string_view part_template(ResourcePart part) {
  switch (part) {
    case ResourcePart::count:
      return "data://{class}/count";
    case ResourcePart::samples:
      return "data://{class}/samples";
    case ResourcePart::schema:
      break;
  }
  return "data://{class}/schema";
}

std::string resource_uri(std::string_view class_name, ResourcePart part) {
  std::string uri(kScheme);
  for (const char c : class_name) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_unreserved(c)) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return (uri += '/') += part_name(part);
}

std::optional<ResourceUri> parse_resource_uri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  const auto slash = uri.find('/');
  if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
  auto name = decoded(uri.substr(0, slash));
  if (!name) return std::nullopt;
  for (const ResourcePart part : kResourceParts) {
    if (uri.substr(slash + 1) == part_name(part)) return ResourceUri{std::move(*name), part};
  }
  return std::nullopt;
}

}  // namespace gantry::data
