#include "host/calls/output.hpp"

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/base/text.hpp"
#include "host/calls/content.hpp"
#include "sdk/contract/limits.hpp"
#include "sdk/contract/media_types.hpp"

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
  limit_.reset(cap);
  uri_ = std::move(uri);
  json_.reset();
  failed_ = false;
  content_.clear();
  structured_.clear();
  parts_.clear();
  failure_ = {};
}

gantry_status Output::take(std::size_t bytes) {
  return limit_.take(bytes) ? GANTRY_OK : GANTRY_TOO_BIG;
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
  if (!contract::is_media_type(type)) return GANTRY_UNSUPPORTED;
  if (purpose_ == For::nested_tool) return add_part("block", media_block(type, body));
  if (!limit_.fits(encoded_size(body))) return take(encoded_size(body));
  std::string block = media_block(type, body);
  if (gantry_status s = take(block.size()); s < 0) return s;
  return add_block(std::move(block));
}

// Counts the bytes that are sent: escaped characters with their escapes, and every block but the
// first with its JSON frame. A body larger than the room is refused before it is escaped.
gantry_status Output::add_text(std::string_view body) {
  if (!limit_.fits(body.size())) return take(body.size());
  std::string block = text_block(body);
  const std::size_t free = content_.empty() ? contract::WriteLimit::kBlockFrame : 0;
  if (gantry_status s = take(block.size() - free); s < 0) return s;
  return add_block(std::move(block));
}

gantry_status Output::add_block(std::string block) {
  if (!content_.empty()) content_ += ',';
  content_ += block;
  return GANTRY_OK;
}

gantry_status Output::add_entry(std::string_view type, std::string_view body) {
  if (!contract::is_mime_type(type)) return GANTRY_UNSUPPORTED;
  const bool text = contract::is_text_type(type) && is_utf8(body);
  const std::size_t size = uri_.size() + type.size() + (text ? body.size() : encoded_size(body));
  if (!limit_.fits(size)) return take(size);
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

gantry_status Output::json_begin() { return json_.begin().empty() ? GANTRY_OK : GANTRY_MISUSE; }

gantry_status Output::json_raw(std::string_view part) {
  if (!json_.add().empty()) return GANTRY_MISUSE;
  if (gantry_status s = take(part.size()); s < 0) return s;
  structured_.append(part);
  return GANTRY_OK;
}

gantry_status Output::json_end() { return json_.end().empty() ? GANTRY_OK : GANTRY_MISUSE; }

gantry_status Output::fail(std::string_view code, std::string_view message,
                           std::string_view details) {
  if (details.size() > contract::kMaxErrorDetails) details = {};
  if (!details.empty() && !is_object(details)) return GANTRY_INVALID_ARGUMENT;
  content_.clear();
  structured_.clear();
  parts_.clear();
  json_.reset();
  limit_.restart();
  failed_ = true;
  failure_ = {code.empty() ? "internal_error" : shortened(code, contract::kMaxErrorCode),
              shortened(message, contract::kMaxErrorMessage), std::string(details)};
  return GANTRY_FAILED;
}

}  // namespace gantry::host
