#include "host/calls/output.hpp"

#include <rapidjson/document.h>

#include "host/base/json.hpp"
#include "host/calls/content.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMaxFailure = 64u << 10;

bool is_object(std::string_view json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(json.data(), json.size());
  return !document.HasParseError() && document.IsObject();
}

}  // namespace

void Output::reset(For purpose, std::size_t cap) {
  purpose_ = purpose;
  cap_ = cap;
  used_ = 0;
  json_ = Json::none;
  failed_ = overflowed_ = false;
  content_.clear();
  structured_.clear();
  parts_.clear();
  failure_ = {};
}

gantry_status Output::take(std::size_t bytes) {
  if (bytes > cap_ - used_) {
    overflowed_ = true;
    return GANTRY_TOO_BIG;
  }
  used_ += bytes;
  return GANTRY_OK;
}

gantry_status Output::write(std::string_view type, std::string_view body) {
  if (purpose_ == For::nested_service) return add_part(type, body);
  if (type == "text") {
    if (purpose_ == For::nested_tool) return add_part(type, body);
    if (gantry_status s = take(body.size()); s < 0) return s;
    return add_block(text_block(body));
  }
  if (type == "block") {
    if (!is_content_block(body)) return GANTRY_INVALID_ARGUMENT;
    if (purpose_ == For::nested_tool) return add_part(type, body);
    if (gantry_status s = take(body.size()); s < 0) return s;
    return add_block(std::string(body));
  }
  if (!is_media_type(type)) return GANTRY_UNSUPPORTED;
  if (purpose_ == For::nested_tool) return add_part("block", media_block(type, body));
  if (gantry_status s = take(body.size() / 3 * 4 + 4); s < 0) return s;
  return add_block(media_block(type, body));
}

gantry_status Output::add_block(std::string block) {
  if (!content_.empty()) content_ += ',';
  content_ += block;
  return GANTRY_OK;
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
  if (code.size() + message.size() + details.size() > kMaxFailure) return GANTRY_TOO_BIG;
  if (!details.empty() && !is_object(details)) return GANTRY_INVALID_ARGUMENT;
  content_.clear();
  structured_.clear();
  parts_.clear();
  json_ = Json::none;
  used_ = 0;
  failed_ = true;
  overflowed_ = false;
  failure_ = {code.empty() ? "internal_error" : std::string(code), std::string(message),
              std::string(details)};
  return GANTRY_FAILED;
}

}  // namespace gantry::host
