#include "host/rpc/items/find_item.hpp"

#include <utility>

#include "host/base/json.hpp"
#include "host/registry/find.hpp"

namespace gantry::host::rpc {

const Item* find_visible(const Calls& calls, const Agent& agent, const Snapshot::ByKey& items,
                         std::string_view key) {
  const Item* const item = find_item(items, key);
  return item == nullptr || calls.denied(agent, *item) ? nullptr : item;
}

FoundResource find_resource(const Calls& calls, const Agent& agent, const Snapshot& snapshot,
                            std::string_view uri) {
  if (const Item* exact = find_visible(calls, agent, snapshot.resource_by_uri, uri)) {
    return {exact, {}};
  }
  for (const ItemPtr& item : snapshot.templates) {
    auto variables = contract::match_uri(item->spec.uri, uri);
    if (variables && !calls.denied(agent, *item)) return {item.get(), std::move(*variables)};
  }
  return {};
}

std::string arguments_of(std::string_view uri, const FoundResource& found) {
  std::string out = "{";
  append_text_member(out, "uri", uri);
  if (found.item->spec.kind == "resource_template") {
    append_json_member(out, "variables", "{");
    for (const auto& [name, value] : found.variables) append_text_member(out, name, value);
    out += '}';
  }
  return out + "}";
}

}  // namespace gantry::host::rpc
