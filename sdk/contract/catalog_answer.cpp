#include "sdk/contract/catalog_answer.hpp"

#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/json_text.hpp"

namespace gantry::contract {
namespace {

void append_known(std::string& json, std::string_view name, std::string_view value) {
  if (!value.empty()) append_text_member(json, name, value);
}

void append_method(std::string& json, const Item& item, MethodKeys keys) {
  append_text_member(json, "class", item.class_name);
  append_text_member(json, "type", item.on_class ? "class" : "instance");
  append_json_member(json, "supports_dry_run", item.supports_dry_run ? "true" : "false");
  append_json_member(json, "parameters", item.input_schema);
  if (keys == MethodKeys::hidden || !item.permitted_keys) return;
  append_json_member(json, "permitted_keys", "[");
  for (const std::string& key : *item.permitted_keys) {
    if (json.back() != '[') json += ',';
    append_json_string(json, key);
  }
  json += ']';
}

}  // namespace

void append_catalog_item(std::string& json, const Item& item, std::string_view plugin,
                         MethodKeys keys) {
  json += json.size() > 1 ? ",{" : "{";
  append_text_member(json, "name", item.name);
  append_known(json, item.kind == "resource" ? "uri" : "uriTemplate", item.uri);
  append_known(json, "title", item.title);
  append_known(json, "description", item.description);
  if (item.kind != "method") append_known(json, "category", item.category);
  append_known(json, "plugin", plugin);
  append_known(json, "permission", tier_name(item.tier));
  if (item.kind == "method") append_method(json, item, keys);
  json += '}';
}

std::string not_allowed(std::string_view error_code, std::string_view reason,
                        std::string_view details) {
  std::string json = R"({"allowed":false)";
  append_known(json, "error_code", error_code);
  append_known(json, "reason", reason);
  if (!details.empty()) append_json_member(json, "details", details);
  return json += '}';
}

std::string not_offered(std::string_view kind) {
  const ItemKind* const known = find_kind(kind);
  return not_allowed("not_found", "No " + std::string(known == nullptr ? kind : known->noun) +
                                      " of that name is offered");
}

}  // namespace gantry::contract
