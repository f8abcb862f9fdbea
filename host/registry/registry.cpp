#include "host/registry/registry.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "host/loader/claims.hpp"
#include "host/registry/build.hpp"

namespace gantry::host {
namespace {

// A registry's address may come again after it is gone; this number does not.
std::atomic<std::uint64_t> next_registry{1};

struct Cache {
  std::uint64_t registry = 0;
  SnapshotPtr snapshot;
};

Cache& cache() {
  thread_local Cache of_this_thread;
  return of_this_thread;
}

}  // namespace

struct Registry::State {
  // Built-in plugins own their names, then those that are there already, then newcomers.
  void sort_by_claim(std::vector<InstancePtr>& instances) const;
  Result<Offer> present_offer(const InstancePtr& instance);
  void replace_offers(std::vector<InstancePtr> instances);
  Status check_claim(const Instance& instance, const std::vector<ItemSpec>& items) const;
  Offer* find(const Instance& instance);

  // Builds and stores a snapshot; what is to be called afterwards without the lock, or nothing.
  std::function<void()> publish();

  const std::uint64_t id = next_registry++;
  std::atomic<std::uint64_t> version = 0;  // of `snapshot`; what readers compare with

  std::mutex mutex;
  SnapshotPtr snapshot = std::make_shared<const Snapshot>();
  std::vector<Offer> offers;
  std::vector<PluginState> refused;
  // Offers of instances that are being started, by generation.
  std::map<std::uint64_t, std::pair<Claimant, std::vector<ItemSpec>>> early;
  std::function<void(const SnapshotPtr&, const ListChanges&)> listener;
};

Offer* Registry::State::find(const Instance& instance) {
  for (Offer& offer : offers) {
    if (offer.plugin.get() == &instance) return &offer;
  }
  return nullptr;
}

void Registry::State::sort_by_claim(std::vector<InstancePtr>& instances) const {
  const auto rank = [&](const InstancePtr& instance) {
    if (instance->builtin()) return 0;
    const bool known = std::any_of(offers.begin(), offers.end(),
                                   [&](const Offer& o) { return o.plugin == instance; });
    return known ? 1 : 2;
  };
  std::stable_sort(instances.begin(), instances.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

// What it offered while it started, else what it offers now, else what its manifest says.
Result<Offer> Registry::State::present_offer(const InstancePtr& instance) {
  const auto begun = early.find(instance->generation());
  if (begun == early.end()) {
    if (const Offer* known = find(*instance)) return *known;
  }
  const std::vector<ItemSpec>& specs =
      begun != early.end() ? begun->second.second : instance->manifest().items;
  Result<std::vector<ItemPtr>> items = make_items(instance, specs);
  if (!items) return items.status();
  return Offer{instance, std::move(items).value()};
}

void Registry::State::replace_offers(std::vector<InstancePtr> instances) {
  sort_by_claim(instances);
  Claims claims;
  std::vector<Offer> next;
  for (const InstancePtr& instance : instances) {
    Result<Offer> offer = present_offer(instance);
    std::optional<std::string> problem;
    if (!offer) {
      problem = offer.message();
    } else {
      problem = claims.claim(Claimant::of(*instance), specs_of(offer->items));
    }
    if (!problem) {
      next.push_back(std::move(offer).value());
      continue;
    }
    PluginState state;
    state.name = instance->manifest().name;
    state.version = instance->manifest().version;
    state.file = instance->file().string();
    state.sha256 = instance->sha256();
    state.generation = instance->generation();
    state.state = "refused";
    state.reason = *problem;
    refused.push_back(std::move(state));
  }
  offers = std::move(next);
  early.clear();
}

Status Registry::State::check_claim(const Instance& instance,
                                    const std::vector<ItemSpec>& items) const {
  const auto& declared = instance.manifest().offers;
  for (const ItemSpec& item : items) {
    if (item.kind != "service") continue;
    if (std::find(declared.begin(), declared.end(), item.name) == declared.end()) {
      return Status::invalid("the service \"" + item.name +
                             "\" is not among the manifest's offers; add it there");
    }
  }
  Claims claims;
  for (const Offer& offer : offers) {
    if (offer.plugin.get() == &instance) continue;
    claims.claim(Claimant::of(*offer.plugin), specs_of(offer.items));
  }
  for (const auto& [generation, begun] : early) {
    if (generation != instance.generation()) claims.claim(begun.first, begun.second);
  }
  const auto problem = claims.claim(Claimant::of(instance), items);
  return problem ? Status::denied("the offer is refused: " + *problem) : Status::ok();
}

std::function<void()> Registry::State::publish() {
  SnapshotPtr next = build_snapshot(offers, refused, snapshot->version + 1);
  auto changes = changes_between(*snapshot, *next);
  snapshot = next;
  version.store(next->version, std::memory_order_release);
  if (changes.empty() || !listener) return {};
  return [call = listener, next, changes = std::move(changes)] { call(next, changes); };
}

Registry::Registry() : state_(std::make_unique<State>()) {}

Registry::~Registry() {
  if (cache().registry == state_->id) release_cached();
}

const SnapshotPtr& Registry::current() const {
  Cache& cached = cache();
  if (cached.snapshot && cached.registry == state_->id &&
      cached.snapshot->version == state_->version.load(std::memory_order_acquire)) {
    return cached.snapshot;
  }
  SnapshotPtr old;  // freed without the lock
  {
    std::lock_guard lock(state_->mutex);
    old = std::exchange(cached.snapshot, state_->snapshot);
    cached.registry = state_->id;
  }
  return cached.snapshot;
}

void Registry::release_cached() { cache() = {}; }

void Registry::set_plugins(std::vector<InstancePtr> instances, std::vector<PluginState> refused) {
  std::function<void()> tell;
  SnapshotPtr old;
  {
    std::lock_guard lock(state_->mutex);
    old = state_->snapshot;
    state_->refused = std::move(refused);
    state_->replace_offers(std::move(instances));
    tell = state_->publish();
  }
  if (tell) tell();
}

Status Registry::set_offer(Instance& instance, std::vector<ItemSpec> items) {
  std::function<void()> tell;
  SnapshotPtr old;
  {
    std::lock_guard lock(state_->mutex);
    old = state_->snapshot;
    if (Status status = state_->check_claim(instance, items); !status) return status;
    Offer* const offer = state_->find(instance);
    if (!offer) {
      state_->early[instance.generation()] = {Claimant::of(instance), std::move(items)};
      return Status::ok();
    }
    Result<std::vector<ItemPtr>> made = make_items(offer->plugin, items);
    if (!made) return made.status();
    offer->items = std::move(made).value();
    tell = state_->publish();
  }
  if (tell) tell();
  return Status::ok();
}

void Registry::on_lists_changed(
    std::function<void(const SnapshotPtr&, const ListChanges&)> listener) {
  std::lock_guard lock(state_->mutex);
  state_->listener = std::move(listener);
}

}  // namespace gantry::host
