#include "sdk/contract/media_types.hpp"

#include <algorithm>
#include <string>

#include "sdk/contract/text.hpp"

namespace gantry::contract {

bool is_media_type(std::string_view type) {
  if (!type.starts_with("image/") && !type.starts_with("audio/")) return false;
  std::string_view subtype = type.substr(6);
  return !subtype.empty() && subtype.size() <= 64 &&
         std::all_of(subtype.begin(), subtype.end(), [](char c) {
           return is_letter(c) || is_digit(c) || c == '-' || c == '+' || c == '.';
         });
}

bool is_mime_type(std::string_view type) {
  const std::size_t slash = type.find('/');
  if (type.size() > 255 || slash == 0 || slash == std::string_view::npos) return false;
  const std::size_t end = std::min(type.find_first_of("; "), type.size());
  return end > slash + 1 && std::all_of(type.begin(), type.end(), [](unsigned char c) {
           return c >= ' ' && c < 127 && c != '"' && c != '\\';
         });
}

bool is_text_type(std::string_view mime_type) {
  const std::string type = lower(trimmed(mime_type.substr(0, mime_type.find(';'))));
  return type.starts_with("text/") || type.ends_with("+json") || type.ends_with("+xml") ||
         type == "application/json" || type == "application/xml" ||
         type == "application/javascript";
}

}  // namespace gantry::contract
