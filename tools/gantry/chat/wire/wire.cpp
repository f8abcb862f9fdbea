#include "tools/gantry/chat/wire/wire.hpp"

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {

WireError wire_error(const rapidjson::Value& document) {
  const auto& error = member(document, "error");
  if (error.IsString()) return {"", "", text_at(document, "error")};
  if (!error.IsObject()) return {"", "", text_at(document, "detail")};
  return {text_at(error, "type"), text_at(error, "code"), text_at(error, "message")};
}

void ReplyReader::read(std::string_view data) {
  if (data == "[DONE]" || data.empty() || error_) return;
  const auto event = parsed(data);
  if (!event.IsObject()) {
    error_ = {"", "", "an event of the reply is no JSON object"};
    return;
  }
  error_ = wire_error(event);
  if (!error_) take(event);
}

void ReplyReader::show(const std::string& text) const {
  if (!text.empty() && on_text_) on_text_(text);
}

}  // namespace gantry::cli::chat
