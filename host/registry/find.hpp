// host/registry/find.hpp: the lists of a snapshot by kind of item, and look-up in them.
//
// The only table of kinds over the lists. Pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "host/registry/snapshot.hpp"

namespace gantry::host {

struct ItemTable {
  std::string_view kind;
  std::vector<ItemPtr> Snapshot::*list;
  Snapshot::ByKey Snapshot::*by_key;
};

// Null for a word that is no kind of items.
const ItemTable* table_of(std::string_view kind);

// The item with this key, or null. It lives as long as the snapshot.
const Item* find_item(const Snapshot::ByKey& items, std::string_view key);
const Item* find_item(const Snapshot& snapshot, std::string_view kind, std::string_view key);

}  // namespace gantry::host
