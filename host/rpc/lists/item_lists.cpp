#include "host/rpc/lists/item_lists.hpp"

#include "host/rpc/lists/entries.hpp"
#include "host/rpc/tasks/tasks.hpp"

namespace gantry::host::rpc {
namespace {

// The tool that lists the others, for callers with too many of them.
constexpr std::string_view kOverview = "list_tools";
constexpr std::size_t kManyTools = 40;

std::string surface(const ListKind& kind, const Agent& agent, std::string_view revision,
                    std::optional<std::string_view> category) {
  std::string key(revision);
  key.append("|").append(kind.member).append("|").append(tier_name(agent.tier));
  const auto add = [&key](char mark, const std::vector<std::string>& names) {
    for (const auto& name : names) {
      key += mark;
      key += std::to_string(name.size());
      key += ':';
      key += name;
    }
  };
  key += agent.tools.only ? "|only" : "|all";
  if (agent.tools.only) add('+', *agent.tools.only);
  add('-', agent.tools.except);
  key += agent.methods.only ? "|only" : "|all";
  if (agent.methods.only) add('+', *agent.methods.only);
  add('-', agent.methods.except);
  if (category) key += '|' + lower(*category);
  return key;
}

}  // namespace

void ItemList::add(std::string key, std::string_view entry) {
  if (!entries.empty()) entries += ',';
  entries += entry;
  keys.push_back(std::move(key));
  ends.push_back(entries.size());
}

std::string_view ItemList::slice(std::size_t from, std::size_t to) const {
  if (from >= to) return {};
  const std::size_t begin = from == 0 ? 0 : ends[from - 1] + 1;
  return std::string_view(entries).substr(begin, ends[to - 1] - begin);
}

ItemLists::ListPtr ItemLists::find(std::uint64_t version, const std::string& key) {
  std::lock_guard lock(mutex_);
  if (version_ != version) return nullptr;
  const ListPtr* const found = lists_.find(key);
  return found == nullptr ? nullptr : *found;
}

void ItemLists::keep(std::uint64_t version, std::string key, const ListPtr& list) {
  std::lock_guard lock(mutex_);
  if (version_ < version) {
    lists_.clear();
    version_ = version;
  }
  if (version_ == version) lists_.put(std::move(key), list);
}

// The category of a request does not count: the tools of the caller decide.
bool ItemLists::lists_overview(const Snapshot& snapshot, const Agent& agent) const {
  if (discovery_ != Discovery::automatic) return discovery_ == Discovery::always;
  std::size_t others = 0;
  for (const ItemPtr& item : snapshot.tools) {
    if (item->spec.name != kOverview && calls_.lists(snapshot, agent, *item)) ++others;
  }
  return others > kManyTools;
}

std::shared_ptr<const ItemList> ItemLists::get(const Snapshot& snapshot, const ListKind& kind,
                                               const Agent& agent, std::string_view revision,
                                               std::optional<std::string_view> category) {
  std::string key = surface(kind, agent, revision, category);
  if (auto known = find(snapshot.version, key)) return known;
  auto list = std::make_shared<ItemList>();
  for (const ItemPtr& item : snapshot.*kind.items) {
    if (category && !same_ignoring_case(item->spec.category, *category)) continue;
    if (!calls_.lists(snapshot, agent, *item)) continue;
    const bool is_overview = kind.items == kTools.items && item->spec.name == kOverview;
    if (is_overview && !lists_overview(snapshot, agent)) continue;
    list->add(item->spec.key(), entry_of(item->spec, revision, can_be_task(*item)));
  }
  keep(snapshot.version, std::move(key), list);
  return list;
}

std::size_t ItemLists::size() const {
  std::lock_guard lock(mutex_);
  return lists_.size();
}

}  // namespace gantry::host::rpc
