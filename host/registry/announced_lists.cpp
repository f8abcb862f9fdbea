#include "host/registry/announced_lists.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gantry::host {
namespace {

using Difference = AnnouncedLists::Difference;

// Without the members that only the host uses: clients cannot see their changes.
ItemSpec visible(const ItemSpec& spec) {
  ItemSpec out = spec;
  const ItemSpec plain;
  out.timeout = plain.timeout;
  out.non_blocking = out.blocking = false;
  out.order.reset();
  out.subscribe = out.is_public = false;
  out.ttl = plain.ttl;
  out.compiled = {};
  return out;
}

void add(std::vector<Difference>& out, const ItemSpec& spec) {
  Difference difference{spec.name, spec.tier};
  if (std::find(out.begin(), out.end(), difference) == out.end()) {
    out.push_back(std::move(difference));
  }
}

std::vector<Difference> between(const std::vector<ItemSpec>& before,
                                const std::vector<ItemSpec>& after) {
  std::vector<Difference> out;
  if (before == after) return out;
  using Key = std::pair<std::string_view, std::string_view>;
  const auto key = [](const ItemSpec& spec) { return Key(spec.kind, spec.key()); };
  std::map<Key, const ItemSpec*> old;
  for (const ItemSpec& spec : before) old.emplace(key(spec), &spec);
  for (const ItemSpec& spec : after) {
    const auto found = old.find(key(spec));
    const bool same = found != old.end() && *found->second == spec;
    if (same) old.erase(found);
    if (!same) add(out, spec);
  }
  for (const auto& [name, spec] : old) add(out, *spec);
  if (!out.empty()) return out;
  for (const ItemSpec& spec : after) add(out, spec);
  return out;
}

}  // namespace

AnnouncedLists::AnnouncedLists(const Registry& registry) : registry_(registry) {
  for (const List list : {List::tools, List::prompts, List::resources}) take(list);
}

std::vector<ItemSpec> AnnouncedLists::now(List list) const {
  const SnapshotPtr snapshot = registry_.snapshot();
  std::vector<ItemSpec> out;
  const auto append = [&out](const std::vector<ItemPtr>& items) {
    for (const ItemPtr& item : items) out.push_back(visible(item->spec));
  };
  if (list == List::tools) append(snapshot->tools);
  if (list == List::tools) append(snapshot->methods);  // they decide whether their tool is listed
  if (list == List::prompts) append(snapshot->prompts);
  if (list == List::resources) append(snapshot->resources);
  if (list == List::resources) append(snapshot->templates);
  return out;
}

std::vector<Difference> AnnouncedLists::take(List list) {
  std::vector<ItemSpec> before = std::exchange(told_.at(static_cast<std::size_t>(list)), now(list));
  return between(before, told_.at(static_cast<std::size_t>(list)));
}

}  // namespace gantry::host
