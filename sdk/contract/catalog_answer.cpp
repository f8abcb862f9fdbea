#include "sdk/contract/catalog_answer.hpp"

#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/json_text.hpp"

namespace gantry::contract {
namespace {

void append_known(std::string& json, std::string_view name, std::string_view value) {
  if (!value.empty()) append_text_member(json, name, value);
}

}  // namespace

void append_catalog_item(std::string& json, const Item& item, std::string_view plugin) {
  json += json.size() > 1 ? ",{" : "{";
  append_text_member(json, "name", item.name);
  append_known(json, item.kind == "resource" ? "uri" : "uriTemplate", item.uri);
  append_known(json, "title", item.title);
  append_known(json, "description", item.description);
  append_known(json, "category", item.category);
  append_known(json, "plugin", plugin);
  append_known(json, "permission", tier_name(item.tier));
  json += '}';
}

std::string not_allowed(std::string_view error_code, std::string_view reason) {
  std::string json = R"({"allowed":false)";
  append_known(json, "error_code", error_code);
  append_known(json, "reason", reason);
  return json += '}';
}

std::string not_offered(std::string_view kind) {
  const ItemKind* const known = find_kind(kind);
  return not_allowed("not_found", "No " + std::string(known == nullptr ? kind : known->noun) +
                                      " of that name is offered");
}

}  // namespace gantry::contract
