#include "host/calls/content.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <cctype>

#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "host/calls/members.hpp"

namespace gantry::host {
namespace {

using Value = rapidjson::Value;

bool is_media_block(const Value& block) {
  return has_string(block, "data") && has_string(block, "mimeType");
}

bool is_resource_block(const Value& block) {
  auto it = block.FindMember("resource");
  if (it == block.MemberEnd() || !it->value.IsObject()) return false;
  return has_string(it->value, "uri") &&
         (has_string(it->value, "text") || has_string(it->value, "blob"));
}

}  // namespace

std::string text_block(std::string_view text) {
  std::string block = R"({"type":"text","text":)";
  append_json_string(block, text);
  block += '}';
  return block;
}

bool is_media_type(std::string_view type) {
  if (!type.starts_with("image/") && !type.starts_with("audio/")) return false;
  std::string_view subtype = type.substr(6);
  return !subtype.empty() && subtype.size() <= 64 &&
         std::all_of(subtype.begin(), subtype.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '-' || c == '+' || c == '.';
         });
}

std::string media_block(std::string_view mime_type, std::string_view bytes) {
  std::string block = R"({"type":")";
  block += mime_type.substr(0, 5);
  block += R"(","data":")";
  append_base64(block, bytes);
  block += R"(","mimeType":)";
  append_json_string(block, mime_type);
  block += '}';
  return block;
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

std::string resource_entry(std::string_view uri, std::string_view mime_type, std::string_view body,
                           bool text) {
  std::string entry = "{";
  append_text_member(entry, "uri", uri);
  append_text_member(entry, "mimeType", mime_type);
  if (text) {
    append_text_member(entry, "text", body);
    return entry += '}';
  }
  append_json_member(entry, "blob", "\"");
  append_base64(entry, body);
  return entry += "\"}";
}

bool is_content_block(std::string_view json) {
  rapidjson::Document block;
  const bool is_json = parse_exact<rapidjson::kParseValidateEncodingFlag>(json, block);
  if (!is_json || !block.IsObject() || !has_string(block, "type")) return false;
  const std::string_view type = block["type"].GetString();
  if (type == "text") return has_string(block, "text");
  if (type == "image" || type == "audio") return is_media_block(block);
  if (type == "resource") return is_resource_block(block);
  return type == "resource_link" && has_string(block, "uri") && has_string(block, "name");
}

}  // namespace gantry::host
