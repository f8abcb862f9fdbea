// gantry.catalog/1: the items that the caller of a call may use, and the reason for a refusal.
#include "host/calls/call.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/tables.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "host/registry/find.hpp"
#include "sdk/contract/catalog_answer.hpp"
#include "sdk/contract/item_kinds.hpp"

namespace gantry::host {
namespace {

gantry_status hand_over(gantry_sink sink, std::string_view json) {
  if (sink.write != nullptr) sink.write(sink.context, bytes_of(json));
  return GANTRY_OK;
}

// The table of a kind that callers may ask for; else null.
const ItemTable* catalog_of(gantry_bytes kind) {
  return contract::is_kind(view(kind), contract::kCatalog) ? table_of(view(kind)) : nullptr;
}

gantry_status items(gantry_host*, gantry_call* call, gantry_bytes kind, gantry_sink sink) noexcept {
  try {
    const ItemTable* const catalog = catalog_of(kind);
    if (catalog == nullptr) return GANTRY_UNSUPPORTED;
    std::string json = "[";
    const Agent& agent = *call->agent.profile;
    const auto keys =
        agent.agent_debug ? contract::MethodKeys::shown : contract::MethodKeys::hidden;
    for (const ItemPtr& item : (*call->target.snapshot).*catalog->list) {
      if (!call->engine->lists(*call->target.snapshot, agent, *item)) continue;
      contract::append_catalog_item(json, item->spec, item->plugin->manifest().name, keys);
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
    if (item == nullptr) return hand_over(sink, contract::not_offered(view(kind)));
    const auto no = call->engine->denied(*call->agent.profile, *item);
    if (!no) return hand_over(sink, contract::kAllowed);
    return hand_over(sink, contract::not_allowed(no->error_code, no->message, no->details));
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
