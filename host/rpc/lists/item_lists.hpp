// host/rpc/lists/item_lists.hpp: a cache of item lists as JSON text, by the items that a caller may
// see.
//
// A list is immutable and shared with its readers, so an evicted list lives until the last of them
// has released it. Any thread. Throws only std::bad_alloc.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/lru.hpp>

#include "host/base/text.hpp"
#include "host/calls/calls.hpp"
#include "host/config/discovery.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host::rpc {

// A kind of list: the member of the result that holds the entries, and the items in a snapshot.
struct ListKind {
  std::string_view member;
  std::vector<ItemPtr> Snapshot::*items;
};
inline constexpr ListKind kTools{"tools", &Snapshot::tools};
inline constexpr ListKind kPrompts{"prompts", &Snapshot::prompts};
inline constexpr ListKind kResources{"resources", &Snapshot::resources};
inline constexpr ListKind kTemplates{"resourceTemplates", &Snapshot::templates};

// Entries as JSON, comma separated, with their keys and end positions.
struct ItemList {
  std::vector<std::string> keys;  // name or URI of each entry, in listing order
  std::vector<std::size_t> ends;  // the position after each entry in `entries`
  std::string entries;

  // Appends an entry, a JSON object.
  void add(std::string key, std::string_view entry);
  // The text of the entries from index `from` to before index `to`; a view into `entries`.
  std::string_view slice(std::size_t from, std::size_t to) const;
};

// The lists of the newest snapshot by kind and surface: tier, allowed and denied tools, revision,
// category; never by identity or tenant. Above kMaxLists it evicts the least recently used list.
class ItemLists {
 public:
  static constexpr std::size_t kMaxLists = 64;

  // `calls` decides which items an agent may use; it must outlive this. `discovery` decides where
  // the tool list_tools is listed; it can be called in every case.
  ItemLists(const Calls& calls, Discovery discovery) : calls_(calls), discovery_(discovery) {}

  // The list of `kind` for `agent`, from the cache or made now. `category` is compared without
  // case; nothing = all categories.
  std::shared_ptr<const ItemList> get(const Snapshot& snapshot, const ListKind& kind,
                                      const Agent& agent, std::string_view revision,
                                      std::optional<std::string_view> category = std::nullopt);
  // Lists in the cache.
  std::size_t size() const;

 private:
  using ListPtr = std::shared_ptr<const ItemList>;

  ListPtr find(std::uint64_t version, const std::string& key);
  void keep(std::uint64_t version, std::string key, const ListPtr& list);

  bool lists_overview(const Snapshot& snapshot, const Agent& agent) const;

  const Calls& calls_;
  const Discovery discovery_;
  mutable std::mutex mutex_;
  std::uint64_t version_ = 0;
  Lru<std::string, ListPtr> lists_{kMaxLists};
};

}  // namespace gantry::host::rpc
