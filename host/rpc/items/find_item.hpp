// host/rpc/items/find_item.hpp: looks up items with a caller's permissions. An item that the caller
// may not see is not found.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/calls/calls.hpp"
#include "host/registry/snapshot.hpp"
#include "sdk/contract/uris.hpp"

namespace gantry::host::rpc {

// The item with this key, or null.
const Item* find_visible(const Calls& calls, const Agent& agent, const Snapshot::ByKey& items,
                         std::string_view key);

// Resolves a URI: the resource with exactly this URI, else the first template in listing order that
// matches it.
struct FoundResource {
  const Item* item = nullptr;        // null: not found; owned by the snapshot
  contract::UriVariables variables;  // of a template
};
FoundResource find_resource(const Calls& calls, const Agent& agent, const Snapshot& snapshot,
                            std::string_view uri);
// The arguments of the read: {"uri":…} or, for a template, {"uri":…,"variables":{…}}. Requires
// found.item.
std::string arguments_of(std::string_view uri, const FoundResource& found);

}  // namespace gantry::host::rpc
