#include "ops/json_parts.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "policy/internal.hpp"
#include "values/json_document.hpp"

namespace gantry::data {
namespace {

using JsonOut = rapidjson::Writer<rapidjson::StringBuffer>;
using StoredJson = rapidjson::Value;

// Writing a value is recursive; deeper stored JSON could overflow the stack.
constexpr int kDeepest = 500;

bool deeper_than(int limit, std::string_view json) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > limit) return true;
  }
  return false;
}

bool is_container(const StoredJson& value) { return value.IsObject() || value.IsArray(); }

void write_parts(const StoredJson& value, const JsonPaths& paths, JsonOut& json) {
  if (paths.below.empty()) {
    value.Accept(json);
    return;
  }
  if (value.IsArray()) {
    json.StartArray();
    for (const StoredJson& element : value.GetArray()) {
      if (is_container(element)) write_parts(element, paths, json);
    }
    json.EndArray();
    return;
  }
  json.StartObject();
  for (const auto& member : value.GetObject()) {
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    const auto it = paths.below.find(name);
    if (it == paths.below.end()) continue;
    if (!it->second.below.empty() && !is_container(member.value)) continue;
    member.name.Accept(json);
    write_parts(member.value, it->second, json);
  }
  json.EndObject();
}

}  // namespace

void append_json_parts(std::string_view json, const JsonPaths& paths, const ClassFilter* classes,
                       std::string& out) {
  if (deeper_than(kDeepest, json)) return void(out += "null");
  const Charge passing(document_bytes(json));
  rapidjson::Document document;
  const auto parsed = parse_json<rapidjson::kParseValidateEncodingFlag>(json, document);
  if (parsed.IsError() || !is_container(document)) {
    out += "null";
    return;
  }
  drop_internal(document, classes);
  rapidjson::StringBuffer buffer;
  JsonOut writer(buffer);
  write_parts(document, paths, writer);
  out.append(buffer.GetString(), buffer.GetSize());
}

}  // namespace gantry::data
