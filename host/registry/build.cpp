#include "host/registry/build.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

Status compile(const ItemSpec& spec, const std::string& text,
               const std::shared_ptr<const schema::Validator>& ready,
               std::shared_ptr<const schema::Validator>& out) {
  out = ready;
  if (text.empty() || ready) return Status::ok();
  Result<schema::Validator> made = schema::Validator::compile(text);
  if (!made) return Status::invalid("a schema of \"" + spec.name + "\": " + made.message());
  out = std::make_shared<const schema::Validator>(std::move(made).value());
  return Status::ok();
}

std::optional<std::string> missing(const Offer& offer, const std::set<std::string>& services) {
  for (const std::string& need : offer.plugin->plugin_needs()) {
    if (!services.contains(need)) return need;
  }
  return std::nullopt;
}

using Hidden = std::map<std::uint64_t, PluginState>;

// The plugins that can work, found by taking away those that cannot until nothing changes; the
// others get the need they wait for, the hidden ones nothing.
std::map<const Offer*, std::string> find_waiting(const std::vector<Offer>& offers,
                                                 const Hidden& hidden) {
  std::map<const Offer*, std::string> waiting;
  for (const Offer& offer : offers) {
    if (hidden.contains(offer.plugin->generation())) waiting.emplace(&offer, "");
  }
  for (bool changed = true; changed;) {
    changed = false;
    std::set<std::string> services;
    for (const Offer& offer : offers) {
      if (waiting.contains(&offer)) continue;
      for (const ItemPtr& item : offer.items) {
        if (item->spec.kind == "service") services.insert(item->spec.name);
      }
    }
    for (const Offer& offer : offers) {
      if (waiting.contains(&offer)) continue;
      if (const auto need = missing(offer, services)) {
        waiting.emplace(&offer, *need);
        changed = true;
      }
    }
  }
  return waiting;
}

// The items of plugins that do not wait. Where two have the same kind and key, an item that
// overrides a built-in one replaces it; otherwise the first is kept.
std::vector<ItemPtr> visible_items(const std::vector<Offer>& offers,
                                   const std::map<const Offer*, std::string>& waiting) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> place;
  std::vector<ItemPtr> items;
  for (const Offer& offer : offers) {
    if (waiting.contains(&offer)) continue;
    for (const ItemPtr& item : offer.items) {
      const auto [at, fresh] = place.emplace(
          std::pair<std::string_view, std::string_view>{item->spec.kind, item->spec.key()},
          items.size());
      if (fresh) {
        items.push_back(item);
      } else if (items[at->second]->plugin->builtin()) {
        items[at->second] = item;
      }
    }
  }
  return items;
}

// Numbered items first, then by plugin; within a plugin as it listed them.
void sort_for_listing(std::vector<ItemPtr>& tools) {
  using Key = std::pair<int, std::string_view>;
  const auto key = [](const ItemPtr& item) {
    if (item->spec.order) return Key(*item->spec.order, "");
    return Key(std::numeric_limits<int>::max(), item->plugin->manifest().name);
  };
  std::stable_sort(tools.begin(), tools.end(),
                   [&](const ItemPtr& a, const ItemPtr& b) { return key(a) < key(b); });
}

PluginState state_of(const Offer& offer, const std::map<const Offer*, std::string>& waiting,
                     const Hidden& hidden) {
  const Instance& plugin = *offer.plugin;
  if (const auto found = hidden.find(plugin.generation()); found != hidden.end()) {
    return found->second;
  }
  PluginState state;
  state.name = plugin.manifest().name;
  state.version = plugin.manifest().version;
  state.file = plugin.file().string();
  state.sha256 = plugin.sha256();
  state.generation = plugin.generation();
  state.state = "serving";
  if (const auto found = waiting.find(&offer); found != waiting.end()) {
    state.state = "waiting";
    state.reason = "it needs " + found->second + ", which no loaded plugin offers right now";
  }
  return state;
}

void add_item(Snapshot& snapshot, const ItemPtr& item) {
  snapshot.subscribable = snapshot.subscribable || item->spec.subscribe;
  const ItemTable* const table = table_of(item->spec.kind);
  if (table == nullptr) return;
  (snapshot.*table->list).push_back(item);
  (snapshot.*table->by_key).emplace(item->spec.key(), item.get());
}

bool differ(const std::vector<ItemPtr>& before, const std::vector<ItemPtr>& after) {
  const auto same = [](const ItemPtr& a, const ItemPtr& b) { return a->spec == b->spec; };
  return !std::equal(before.begin(), before.end(), after.begin(), after.end(), same);
}

}  // namespace

Result<std::vector<ItemPtr>> make_items(const InstancePtr& plugin,
                                        const std::vector<ItemSpec>& specs) {
  std::vector<ItemPtr> items;
  for (const ItemSpec& spec : specs) {
    auto item = std::make_shared<Item>();
    item->spec = spec;
    item->plugin = plugin;
    const CompiledSchemas& ready = spec.compiled;
    if (Status s = compile(spec, spec.input_schema, ready.input, item->input); !s) return s;
    if (Status s = compile(spec, spec.output_schema, ready.output, item->output); !s) return s;
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<ItemSpec> specs_of(const std::vector<ItemPtr>& items) {
  std::vector<ItemSpec> specs;
  for (const ItemPtr& item : items) specs.push_back(item->spec);
  return specs;
}

SnapshotPtr build_snapshot(const std::vector<Offer>& offers,
                           const std::vector<PluginState>& refused, const Hidden& hidden,
                           std::uint64_t version) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->version = version;
  const auto waiting = find_waiting(offers, hidden);
  for (const ItemPtr& item : visible_items(offers, waiting)) add_item(*snapshot, item);
  sort_for_listing(snapshot->tools);
  sort_for_listing(snapshot->prompts);
  sort_for_listing(snapshot->resources);
  sort_for_listing(snapshot->templates);
  for (const Offer& offer : offers) snapshot->plugins.push_back(state_of(offer, waiting, hidden));
  snapshot->plugins.insert(snapshot->plugins.end(), refused.begin(), refused.end());
  std::stable_sort(snapshot->plugins.begin(), snapshot->plugins.end(),
                   [](const auto& a, const auto& b) { return a.name < b.name; });
  return snapshot;
}

ListChanges changes_between(const Snapshot& before, const Snapshot& after) {
  // The tool that calls methods is listed where there are some.
  return {differ(before.tools, after.tools) || differ(before.methods, after.methods),
          differ(before.prompts, after.prompts),
          differ(before.resources, after.resources) || differ(before.templates, after.templates)};
}

}  // namespace gantry::host
