// gantry.catalog/1: the items that the caller of a call may use, and the reason for a refusal.
#include "host/base/json.hpp"
#include "host/calls/admission.hpp"
#include "host/calls/kinds.hpp"
#include "host/calls/tables.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

void append_member(std::string& json, std::string_view name, std::string_view value) {
  if (!value.empty()) append_text_member(json, name, value);
}

void append_item(std::string& json, const Item& item) {
  json += json.size() > 1 ? ",{" : "{";
  append_text_member(json, "name", item.spec.name);
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

// The table of a kind that clients can list; else null.
const ItemTable* catalog_of(gantry_bytes kind) {
  return contract::is_kind(view(kind), contract::kShown) ? table_of(view(kind)) : nullptr;
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
    const ItemTable* const catalog = catalog_of(kind);
    if (catalog == nullptr) return GANTRY_UNSUPPORTED;
    std::string json = "[";
    for (const ItemPtr& item : (*call->target.snapshot).*catalog->list) {
      if (!Admission::denied(*call->agent.profile, *item)) append_item(json, *item);
    }
    return hand_over(sink, json += ']');
  } catch (...) {
    return GANTRY_FAILED;
  }
}

gantry_status explain(gantry_host*, gantry_call* call, gantry_bytes kind, gantry_bytes name,
                      gantry_sink sink) noexcept {
  try {
    const ItemTable* const catalog = catalog_of(kind);
    if (catalog == nullptr) return GANTRY_UNSUPPORTED;
    const Item* const item = find_item((*call->target.snapshot).*catalog->by_key, view(name));
    if (item == nullptr) return hand_over(sink, unknown_item(view(kind)));
    const auto no = Admission::denied(*call->agent.profile, *item);
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
