#include "host/calls/content.hpp"

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "host/calls/members.hpp"
#include "sdk/contract/answer_forms.hpp"

namespace gantry::host {
std::string text_block(std::string_view text) {
  std::string block = R"({"type":"text","text":)";
  append_json_string(block, text);
  block += '}';
  return block;
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
  return parse_exact<rapidjson::kParseValidateEncodingFlag>(json, block) &&
         contract::wrong_block(JsonView(block)).empty();
}

}  // namespace gantry::host
