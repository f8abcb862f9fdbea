#include "host/rpc/results/result_members.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "host/base/json.hpp"
#include "host/rpc/message/era.hpp"
#include "host/rpc/message/message.hpp"
#include "host/rpc/results/content.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

constexpr rapidjson::SizeType kMaxValues = 100;

bool has_text(const Value& value, std::string_view name) {
  return text_of(member(&value, name)).has_value();
}

// Text or Base64, not both.
bool has_body(const Value& value) {
  return value.IsObject() && has_text(value, "text") != has_text(value, "blob");
}

bool is_block(const Value* block) {
  const auto type = text_of(member(block, "type")).value_or("");
  if (type == "text") return has_text(*block, "text");
  if (type == "image" || type == "audio") {
    return has_text(*block, "data") && has_text(*block, "mimeType");
  }
  if (type == "resource_link") return has_text(*block, "uri") && has_text(*block, "name");
  const Value* resource = member(block, "resource");
  return type == "resource" && resource != nullptr && has_body(*resource) &&
         has_text(*resource, "uri");
}

std::optional<std::string> prompt_message(const Value& message, std::string_view revision) {
  const auto role = text_of(member(&message, "role")).value_or("");
  const Value* content = member(&message, "content");
  if ((role != "user" && role != "assistant") || !is_block(content)) return std::nullopt;
  return "{\"role\":" + json_string(role) +
         ",\"content\":" + content_for(revision, json_of(*content)) + "}";
}

std::optional<std::string> content_of(const Value& content, const Asked& asked,
                                      const Features& peer) {
  if (!has_body(content)) return std::nullopt;
  std::string out = "{";
  append_text_member(out, "uri", text_of(member(&content, "uri")).value_or(asked.name));
  const auto type = text_of(member(&content, "mimeType")).value_or(asked.mime_type);
  if (!type.empty()) append_text_member(out, "mimeType", type);
  const char* const body = has_text(content, "text") ? "text" : "blob";
  append_text_member(out, body, *text_of(member(&content, body)));
  const Value* meta = member(&content, "_meta");
  if (peer.titles() && meta != nullptr && meta->IsObject()) {
    append_json_member(out, "_meta", json_of(*meta));
  }
  return out += '}';
}

const Value* array_of(const Value& result, std::string_view name) {
  const Value* list = member(&result, name);
  return list != nullptr && list->IsArray() ? list : nullptr;
}

std::string caching(const Value& result, const Asked& asked) {
  const Value* own = member(&result, "ttlMs");
  const std::uint64_t ttl = own != nullptr && own->IsUint64()
                                ? own->GetUint64()
                                : static_cast<std::uint64_t>(asked.ttl.count());
  return ",\"ttlMs\":" + std::to_string(ttl) +
         (asked.is_public ? ",\"cacheScope\":\"public\"" : ",\"cacheScope\":\"private\"");
}

}  // namespace

Members prompt_members(const Value& result, std::string_view revision) {
  const Value* messages = array_of(result, "messages");
  if (messages == nullptr) return {{}, "the result has no array \"messages\""};
  std::string out;
  if (const auto description = text_of(member(&result, "description"))) {
    out += "\"description\":" + json_string(*description) + ",";
  }
  out += "\"messages\":[";
  for (const Value& each : messages->GetArray()) {
    const auto message = prompt_message(each, revision);
    if (!message) return {{}, "\"messages\" holds something that is no message of known content"};
    if (out.back() != '[') out += ',';
    out += *message;
  }
  return {out + "]", {}};
}

Members resource_members(const Value& result, const Asked& asked, std::string_view revision) {
  const Features peer(revision);
  const Value* contents = array_of(result, "contents");
  if (contents == nullptr) return {{}, "the result has no array \"contents\""};
  if (contents->Empty()) return {{}, "\"contents\" is empty; a missing resource is not_found"};
  std::string out = "\"contents\":[";
  for (const Value& each : contents->GetArray()) {
    const auto content = content_of(each, asked, peer);
    if (!content) return {{}, "\"contents\" holds something that has no text and no blob, or both"};
    if (out.back() != '[') out += ',';
    out += *content;
  }
  out += ']';
  if (peer.modern()) out += caching(result, asked);
  return {std::move(out), {}};
}

Members completion_members(const Value& result) {
  const Value* values = array_of(result, "values");
  if (values == nullptr) return {{}, "the result has no array \"values\""};
  std::string out = "\"completion\":{\"values\":[";
  const rapidjson::SizeType sent = std::min(values->Size(), kMaxValues);
  for (rapidjson::SizeType i = 0; i < sent; ++i) {
    const auto value = text_of(&(*values)[i]);
    if (!value) return {{}, "\"values\" holds something that is no text"};
    if (i > 0) out += ',';
    append_json_string(out, *value);
  }
  const Value* said_total = member(&result, "total");
  const Value* said_more = member(&result, "hasMore");
  const bool counted = said_total != nullptr && said_total->IsUint64();
  const bool has_more = said_more != nullptr && said_more->IsBool() && said_more->GetBool();
  std::uint64_t total =
      std::max<std::uint64_t>(counted ? said_total->GetUint64() : 0, values->Size());
  // If there are more values and the plugin gave no total, no total is sent.
  if (!has_more || total > values->Size())
    out += "],\"total\":" + std::to_string(total);
  else
    out += ']';
  out += has_more || total > sent ? ",\"hasMore\":true}" : ",\"hasMore\":false}";
  return {std::move(out), {}};
}

}  // namespace gantry::host::rpc
