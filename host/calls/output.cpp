#include "host/calls/output.hpp"

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/base/text.hpp"
#include "host/calls/content.hpp"

namespace gantry::host {
namespace {

// An upper bound of the size in Base64.
std::size_t encoded_size(std::string_view body) { return body.size() / 3 * 4 + 4; }

bool is_object(std::string_view json) {
  rapidjson::Document document;
  return parse_exact(json, document) && document.IsObject();
}

}  // namespace

void Output::reset(For purpose, std::size_t cap, std::string uri) {
  purpose_ = purpose;
  cap_ = cap;
  uri_ = std::move(uri);
  used_ = 0;
  json_ = Json::none;
  failed_ = overflowed_ = false;
  content_.clear();
  structured_.clear();
  parts_.clear();
  failure_ = {};
}

gantry_status Output::overflow() {
  overflowed_ = true;
  return GANTRY_TOO_BIG;
}

gantry_status Output::take(std::size_t bytes) {
  if (bytes > room()) return overflow();
  used_ += bytes;
  return GANTRY_OK;
}

gantry_status Output::write(std::string_view type, std::string_view body) {
  if (purpose_ == For::nested_service) return add_part(type, body);
  if (purpose_ == For::client_entries) return add_entry(type, body);
  if (purpose_ == For::client_object) return GANTRY_UNSUPPORTED;
  if (type == "text") {
    if (purpose_ == For::nested_tool) return add_part(type, body);
    return add_text(body);
  }
  if (type == "block") {
    if (!is_content_block(body)) return GANTRY_INVALID_ARGUMENT;
    if (purpose_ == For::nested_tool) return add_part(type, body);
    if (gantry_status s = take(body.size()); s < 0) return s;
    return add_block(std::string(body));
  }
  if (!is_media_type(type)) return GANTRY_UNSUPPORTED;
  if (purpose_ == For::nested_tool) return add_part("block", media_block(type, body));
  if (encoded_size(body) > room()) return overflow();
  std::string block = media_block(type, body);
  if (gantry_status s = take(block.size()); s < 0) return s;
  return add_block(std::move(block));
}

// Counts the bytes that are sent: escaped characters with their escapes, and every block but the
// first with its JSON frame. A body larger than the room is refused before it is escaped.
gantry_status Output::add_text(std::string_view body) {
  if (body.size() > room()) return overflow();
  std::string block = text_block(body);
  const std::size_t free = content_.empty() ? kBlockFrame : 0;
  if (gantry_status s = take(block.size() - free); s < 0) return s;
  return add_block(std::move(block));
}

gantry_status Output::add_block(std::string block) {
  if (!content_.empty()) content_ += ',';
  content_ += block;
  return GANTRY_OK;
}

gantry_status Output::add_entry(std::string_view type, std::string_view body) {
  if (!is_mime_type(type)) return GANTRY_UNSUPPORTED;
  const bool text = is_text_type(type) && is_utf8(body);
  const std::size_t size = uri_.size() + type.size() + (text ? body.size() : encoded_size(body));
  if (size > room()) return overflow();
  std::string entry = resource_entry(uri_, type, body, text);
  if (gantry_status s = take(entry.size()); s < 0) return s;
  return add_block(std::move(entry));
}

gantry_status Output::add_part(std::string_view type, std::string_view body) {
  if (gantry_status s = take(body.size()); s < 0) return s;
  if (purpose_ == For::nested_service) {
    for (auto& [known, joined] : parts_) {
      if (known == type) return joined.append(body), GANTRY_OK;
    }
  }
  parts_.emplace_back(type, body);
  return GANTRY_OK;
}

gantry_status Output::json_begin() {
  if (json_ != Json::none) return GANTRY_MISUSE;
  json_ = Json::open;
  return GANTRY_OK;
}

gantry_status Output::json_raw(std::string_view part) {
  if (json_ != Json::open) return GANTRY_MISUSE;
  if (gantry_status s = take(part.size()); s < 0) return s;
  structured_.append(part);
  return GANTRY_OK;
}

gantry_status Output::json_end() {
  if (json_ != Json::open) return GANTRY_MISUSE;
  json_ = Json::done;
  return GANTRY_OK;
}

gantry_status Output::fail(std::string_view code, std::string_view message,
                           std::string_view details) {
  if (details.size() > kMaxDetails) details = {};
  if (!details.empty() && !is_object(details)) return GANTRY_INVALID_ARGUMENT;
  content_.clear();
  structured_.clear();
  parts_.clear();
  json_ = Json::none;
  used_ = 0;
  failed_ = true;
  overflowed_ = false;
  failure_ = {code.empty() ? "internal_error" : shortened(code, kMaxCode),
              shortened(message, kMaxMessage), std::string(details)};
  return GANTRY_FAILED;
}

}  // namespace gantry::host
