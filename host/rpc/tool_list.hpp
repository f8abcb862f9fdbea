// host/rpc/tool_list.hpp: the tools one caller sees, as bytes that are made once and sent often.
//
// Any thread.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/base/text.hpp"
#include "host/calls/calls.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host::rpc {

// One tool as tools/list shows it to a peer of `revision`.
std::string tool_entry(const ItemSpec& spec, std::string_view revision);

// The entries of one caller, comma separated, and where each ends.
struct ToolList {
  std::vector<std::string> names;
  std::vector<std::size_t> ends;
  std::string entries;

  std::string_view slice(std::size_t from, std::size_t to) const;
};

// The lists of the newest snapshot by surface: tier, allowed and denied tools, revision, category.
// Never by identity or tenant. At most kMaxLists, least recently used out.
class ToolLists {
 public:
  static constexpr std::size_t kMaxLists = 64;

  explicit ToolLists(const Calls& calls) : calls_(calls) {}

  // `category` matches without case; nothing = all.
  std::shared_ptr<const ToolList> get(const Snapshot& snapshot, const Agent& agent,
                                      std::string_view revision,
                                      std::optional<std::string_view> category);
  std::size_t size() const;

 private:
  using ListPtr = std::shared_ptr<const ToolList>;
  struct Entry {
    std::string key;
    ListPtr list;
  };

  const Calls& calls_;
  mutable std::mutex mutex_;
  std::uint64_t version_ = 0;
  std::list<Entry> recent_;  // the front is the most recent
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key_;
};

}  // namespace gantry::host::rpc
