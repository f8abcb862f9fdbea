#include "items.hpp"

#include <set>
#include <utility>

#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/uris.hpp"

namespace gantry::testing::detail {
namespace {

using rapidjson::Value;

std::string member_text(const Value& object, const char* name) {
  const auto found = object.FindMember(name);
  if (found == object.MemberEnd() || !found->value.IsString()) return {};
  return {found->value.GetString(), found->value.GetStringLength()};
}

// The schema of one side: in the item, else under "schemas".
const Value* find_schema(const Value& item, const char* own, const Value* schemas,
                         const char* side) {
  const auto inline_schema = item.FindMember(own);
  if (inline_schema != item.MemberEnd()) return &inline_schema->value;
  if (schemas == nullptr || !schemas->IsObject()) return nullptr;
  const auto tool = schemas->FindMember(item["name"]);
  if (tool == schemas->MemberEnd() || !tool->value.IsObject()) return nullptr;
  const auto found = tool->value.FindMember(side);
  return found == tool->value.MemberEnd() ? nullptr : &found->value;
}

Status compile(const Value* schema, std::string& text, std::optional<schema::Validator>& out,
               const std::string& what) {
  if (schema == nullptr) return {};
  text = to_text(*schema);
  Result<schema::Validator> compiled = schema::Validator::compile(*schema);
  if (!compiled) return Status::invalid(what + ": " + compiled.message());
  out = std::move(*compiled);
  return {};
}

// An item may have the members of its kind only.
Status check_members(const Value& json, const Item& item) {
  for (const auto& member : json.GetObject()) {
    const std::string name(member.name.GetString(), member.name.GetStringLength());
    const std::string place = item.kind + " '" + item.name + "': \"" + name + '"';
    if (Status status = contract::check_member(item.kind, name, place); !status) return status;
  }
  return {};
}

bool member_flag(const Value& object, const char* name) {
  const auto found = object.FindMember(name);
  return found != object.MemberEnd() && found->value.IsTrue();
}

// What prompts, resources and templates have of their own.
Status parse_kind(const Value& json, Item& item) {
  const bool is_template = item.kind == "resource_template";
  item.mime_type = member_text(json, "mimeType");
  item.lists = member_flag(json, "lists");
  item.subscribe = member_flag(json, "subscribe");
  if (is_template || item.kind == "resource") {
    const char* const name = is_template ? "uriTemplate" : "uri";
    item.uri = member_text(json, name);
    const std::string place = item.kind + " '" + item.name + "': \"" + name + '"';
    const Status status = is_template ? contract::check_uri_template(place, item.uri)
                                      : contract::check_uri(place, item.uri);
    if (!status) return status;
  }
  const auto arguments = json.FindMember("arguments");
  if (arguments == json.MemberEnd()) return {};
  if (!arguments->value.IsArray()) {
    return Status::invalid(item.kind + " '" + item.name + "': \"arguments\" is no array");
  }
  for (const Value& argument : arguments->value.GetArray()) {
    const std::string name = argument.IsObject() ? member_text(argument, "name") : std::string();
    if (name.empty()) {
      return Status::invalid("an argument of " + item.kind + " '" + item.name + "' has no name");
    }
    item.arguments.emplace_back(name, member_flag(argument, "required"));
  }
  return {};
}

// A completion is of a prompt or a template of the same plugin.
Status check_completions(const std::vector<Item>& items) {
  for (const Item& item : items) {
    if (item.kind != "completion") continue;
    bool known = false;
    for (const Item& other : items) {
      known = known || ((other.kind == "prompt" || other.kind == "resource_template") &&
                        other.key() == item.name);
    }
    if (known) continue;
    return Status::invalid("completion '" + item.name +
                           "' names no prompt or URI template of this plugin");
  }
  return {};
}

Result<Item> parse_item(const Value& json, const Value* schemas) {
  if (!json.IsObject()) return Status::invalid("an item is no object");
  Item item;
  item.kind = member_text(json, "kind");
  item.name = member_text(json, "name");
  if (item.name.empty()) return Status::invalid("an item has no \"name\"");
  if (!contract::is_item_kind(item.kind)) {
    return Status::invalid("item '" + item.name + "': \"kind\" is \"" + item.kind +
                           "\"; expected " + contract::kind_list());
  }
  if (Status status = check_members(json, item); !status) return status;
  item.title = member_text(json, "title");
  item.description = member_text(json, "description");
  item.category = member_text(json, "category");
  item.permission = member_text(json, "permission");
  if (Status status = parse_kind(json, item); !status) return status;
  const std::string what = item.kind + " '" + item.name + "'";
  const Value* const input = find_schema(json, "inputSchema", schemas, "input");
  if (input == nullptr && item.kind == "tool")
    return Status::invalid(what + " has no input schema");
  Status status = compile(input, item.input_schema, item.input, what + ": input schema");
  if (status) {
    status = compile(find_schema(json, "outputSchema", schemas, "output"), item.output_schema,
                     item.output, what + ": output schema");
  }
  if (!status) return status;
  return item;
}

Result<std::vector<Item>> parse_items(const Value& array, const Value* schemas) {
  std::vector<Item> items;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Value& json : array.GetArray()) {
    Result<Item> item = parse_item(json, schemas);
    if (!item) return item.status();
    if (!seen.emplace(item->kind, item->key()).second) {
      return Status::invalid(item->kind + " '" + item->key() + "' is listed twice");
    }
    items.push_back(std::move(*item));
  }
  if (Status status = check_completions(items); !status) return status;
  return items;
}

Status parse(std::string_view json, rapidjson::Document& out) {
  out.Parse(json.data(), json.size());
  if (!out.HasParseError()) return {};
  return Status::invalid(
      "not JSON: " + std::string(rapidjson::GetParseError_En(out.GetParseError())) + " (byte " +
      std::to_string(out.GetErrorOffset()) + ")");
}

// Whether the array member `name` holds the string `word`.
bool lists(const Value& object, const char* name, std::string_view word) {
  const auto found = object.FindMember(name);
  if (found == object.MemberEnd() || !found->value.IsArray()) return false;
  for (const Value& entry : found->value.GetArray()) {
    if (entry.IsString() && std::string_view(entry.GetString(), entry.GetStringLength()) == word) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string to_text(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

Result<Manifest> parse_manifest(std::string_view json) {
  rapidjson::Document document;
  if (Status status = parse(json, document); !status) return status;
  if (!document.IsObject()) return Status::invalid("the manifest is no object");
  Manifest manifest;
  manifest.name = member_text(document, "name");
  if (manifest.name.empty()) return Status::invalid("the manifest has no \"name\"");
  manifest.reentrant = lists(document, "flags", "reentrant");
  for (const char* member : {"needs", "wants"}) {
    const auto needs = document.FindMember(member);
    if (needs == document.MemberEnd() || !needs->value.IsArray()) continue;
    for (const Value& need : needs->value.GetArray()) {
      if (need.IsString()) manifest.needs.emplace_back(need.GetString(), need.GetStringLength());
    }
  }
  const auto schemas = document.FindMember("schemas");
  if (schemas != document.MemberEnd()) manifest.schemas = to_text(schemas->value);
  const auto items = document.FindMember("items");
  if (items == document.MemberEnd()) return manifest;
  manifest.items_at_start = items->value.IsString();
  if (!items->value.IsArray()) return manifest;
  Result<std::vector<Item>> parsed =
      parse_items(items->value, schemas == document.MemberEnd() ? nullptr : &schemas->value);
  if (!parsed) return parsed.status();
  manifest.items = std::move(*parsed);
  return manifest;
}

Result<std::vector<Item>> parse_offer(std::string_view json, std::string_view schemas) {
  rapidjson::Document document;
  if (Status status = parse(json, document); !status) return status;
  if (!document.IsArray()) return Status::invalid("the offer is no array of items");
  rapidjson::Document known;
  known.Parse(schemas.data(), schemas.size());
  return parse_items(document, known.HasParseError() ? nullptr : &known);
}

}  // namespace gantry::testing::detail
