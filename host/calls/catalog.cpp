// gantry.catalog/1: what the caller of a call can see, and why it cannot use the rest.
#include <array>

#include "host/base/json.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {
namespace {

void append_member(std::string& json, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  json += ',';
  append_json_string(json, name);
  json += ':';
  append_json_string(json, value);
}

void append_item(std::string& json, const Item& item) {
  json += json.size() > 1 ? ",{\"name\":" : "{\"name\":";
  append_json_string(json, item.spec.name);
  append_member(json, item.spec.kind == "resource" ? "uri" : "uriTemplate", item.spec.uri);
  append_member(json, "title", item.spec.title);
  append_member(json, "description", item.spec.description);
  append_member(json, "category", item.spec.category);
  append_member(json, "plugin", item.plugin->manifest().name);
  append_member(json, "permission", tier_name(item.spec.tier));
  json += '}';
}

gantry_status hand_over(gantry_sink sink, const std::string& json) {
  if (sink.write != nullptr) sink.write(sink.context, bytes_of(json));
  return GANTRY_OK;
}

struct Catalog {
  std::string_view kind;
  std::vector<ItemPtr> Snapshot::*list;
  Snapshot::ByKey Snapshot::*by_key;
};

const Catalog* catalog_of(gantry_bytes kind) {
  static constexpr std::array<Catalog, 4> kCatalogs{{
      {"tool", &Snapshot::tools, &Snapshot::tool_by_name},
      {"prompt", &Snapshot::prompts, &Snapshot::prompt_by_name},
      {"resource", &Snapshot::resources, &Snapshot::resource_by_uri},
      {"resource_template", &Snapshot::templates, &Snapshot::template_by_uri},
  }};
  for (const Catalog& catalog : kCatalogs) {
    if (catalog.kind == view(kind)) return &catalog;
  }
  return nullptr;
}

std::string unknown_item(std::string_view kind) {
  std::string json = R"({"allowed":false)";
  append_member(json, "error_code", "not_found");
  append_member(json, "reason",
                "No " + std::string(kind_of(kind).noun) + " of that name is offered");
  return json += '}';
}

gantry_status items(gantry_host*, gantry_call* call, gantry_bytes kind, gantry_sink sink) noexcept {
  try {
    const Catalog* const catalog = catalog_of(kind);
    if (catalog == nullptr) return GANTRY_UNSUPPORTED;
    std::string json = "[";
    for (const ItemPtr& item : (*call->snapshot).*catalog->list) {
      if (!call->engine->denied(*call->agent, *item)) append_item(json, *item);
    }
    return hand_over(sink, json += ']');
  } catch (...) {
    return GANTRY_FAILED;
  }
}

gantry_status explain(gantry_host*, gantry_call* call, gantry_bytes kind, gantry_bytes name,
                      gantry_sink sink) noexcept {
  try {
    const Catalog* const catalog = catalog_of(kind);
    if (catalog == nullptr) return GANTRY_UNSUPPORTED;
    const Snapshot::ByKey& by_key = (*call->snapshot).*catalog->by_key;
    const auto found = by_key.find(view(name));
    if (found == by_key.end()) return hand_over(sink, unknown_item(view(kind)));
    const auto no = call->engine->denied(*call->agent, *found->second);
    if (!no) return hand_over(sink, R"({"allowed":true})");
    std::string json = R"({"allowed":false)";
    append_member(json, "error_code", no->error_code);
    append_member(json, "reason", no->message);
    return hand_over(sink, json += '}');
  } catch (...) {
    return GANTRY_FAILED;
  }
}

}  // namespace

const gantry_catalog_api& catalog_table() {
  static const gantry_catalog_api kTable = {sizeof(gantry_catalog_api), items, explain};
  return kTable;
}

}  // namespace gantry::host
