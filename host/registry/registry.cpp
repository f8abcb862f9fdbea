#include "host/registry/registry.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "host/plugin/claims.hpp"
#include "host/registry/build.hpp"

namespace gantry::host {
namespace {

// Unlike the address of a registry, its number is never used again.
std::atomic<std::uint64_t> next_registry{1};

struct Cache {
  std::uint64_t registry = 0;
  SnapshotPtr snapshot;
};

Cache& cache() {
  thread_local Cache of_this_thread;
  return of_this_thread;
}

PluginState refused_offer(const Instance& instance, const std::string& reason) {
  PluginState state;
  state.name = instance.manifest().name;
  state.version = instance.manifest().version;
  state.file = instance.file().string();
  state.sha256 = instance.sha256();
  state.generation = instance.generation();
  state.state = "refused";
  state.reason = reason;
  return state;
}

}  // namespace

struct Registry::State {
  // Built-in plugins own their names, then those that are there already, then newcomers.
  void sort_by_claim(std::vector<InstancePtr>& instances) const;
  Result<Offer> present_offer(const InstancePtr& instance);
  struct Choice {
    std::vector<Offer> offers;
    std::vector<OfferRefusal> refusals;
  };
  Choice choose(std::vector<InstancePtr>& instances);
  void set_states(std::vector<PluginState> states);
  Status check_claim(const Instance& instance, const std::vector<ItemSpec>& items) const;
  Offer* find(const Instance& instance);
  const Offer* find(std::uint64_t generation) const;
  bool is_retired(const Instance& instance) const;

  // Builds and stores a snapshot. Returns a function to be called without the lock, or nothing.
  std::function<void()> publish();

  const std::uint64_t id = next_registry++;
  std::atomic<std::uint64_t> version = 0;  // of `snapshot`; compared by readers

  std::mutex mutex;
  SnapshotPtr snapshot = std::make_shared<const Snapshot>();
  std::vector<Offer> offers;
  std::uint64_t newest = 0;  // generation that was published
  std::vector<PluginState> refused;
  std::map<std::uint64_t, PluginState> hidden;  // by generation
  // Offers of instances that are being started, by generation.
  std::map<std::uint64_t, std::pair<Claimant, std::vector<ItemSpec>>> early;
  std::function<void(const ListChanges&)> listener;
};

Offer* Registry::State::find(const Instance& instance) {
  for (Offer& offer : offers) {
    if (offer.plugin.get() == &instance) return &offer;
  }
  return nullptr;
}

const Offer* Registry::State::find(std::uint64_t generation) const {
  for (const Offer& offer : offers) {
    if (offer.plugin->generation() == generation) return &offer;
  }
  return nullptr;
}

// True for a generation that was published and then replaced. Its offers are ignored while its last
// calls run.
bool Registry::State::is_retired(const Instance& instance) const {
  return instance.generation() <= newest && !find(instance.generation());
}

void Registry::State::sort_by_claim(std::vector<InstancePtr>& instances) const {
  const auto rank = [&](const InstancePtr& instance) {
    if (instance->builtin()) return 0;
    const std::string& name = instance->manifest().name;
    const bool known = std::any_of(offers.begin(), offers.end(), [&](const Offer& o) {
      return o.plugin->manifest().name == name;
    });
    return known ? 1 : 2;
  };
  std::stable_sort(instances.begin(), instances.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

// The items offered during start(); else the current offer of this generation, or of the one that a
// placeholder replaces; else the manifest's items.
Result<Offer> Registry::State::present_offer(const InstancePtr& instance) {
  std::vector<ItemSpec> specs;
  if (const auto begun = early.find(instance->generation()); begun != early.end()) {
    specs = begun->second.second;
  } else if (const Offer* known = find(*instance)) {
    return *known;
  } else if (const Offer* stood_for = find(instance->generation())) {
    specs = specs_of(stood_for->items);
  } else {
    specs = instance->manifest().items;
  }
  Result<std::vector<ItemPtr>> items = make_items(instance, specs);
  if (!items) return items.status();
  return Offer{instance, std::move(items).value()};
}

Registry::State::Choice Registry::State::choose(std::vector<InstancePtr>& instances) {
  sort_by_claim(instances);
  Claims claims;
  Choice choice;
  for (const InstancePtr& instance : instances) {
    Result<Offer> offer = present_offer(instance);
    std::optional<std::string> problem;
    if (!offer) {
      problem = offer.message();
    } else {
      problem = claims.claim(Claimant::of(*instance), specs_of(offer->items));
    }
    if (problem) {
      choice.refusals.push_back({instance->generation(), *problem});
    } else {
      choice.offers.push_back(std::move(offer).value());
    }
  }
  return choice;
}

void Registry::State::set_states(std::vector<PluginState> states) {
  refused.clear();
  hidden.clear();
  for (PluginState& state : states) {
    if (state.generation != 0 && find(state.generation)) {
      hidden[state.generation] = std::move(state);
    } else {
      refused.push_back(std::move(state));
    }
  }
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
  SnapshotPtr next = build_snapshot(offers, refused, hidden, snapshot->version + 1);
  const ListChanges changes = changes_between(*snapshot, *next);
  snapshot = std::move(next);
  version.store(snapshot->version, std::memory_order_release);
  if (changes.empty() || !listener) return {};
  return [call = listener, changes] { call(changes); };
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

SnapshotPtr Registry::snapshot() const {
  std::lock_guard lock(state_->mutex);
  return state_->snapshot;
}

void Registry::release_cached() { cache() = {}; }

std::vector<OfferRefusal> Registry::set_plugins(std::vector<InstancePtr> instances,
                                                std::vector<PluginState> states) {
  std::function<void()> tell;
  SnapshotPtr old;
  State::Choice choice;
  {
    std::lock_guard lock(state_->mutex);
    old = state_->snapshot;
    choice = state_->choose(instances);
    for (const OfferRefusal& refusal : choice.refusals) {
      const auto same = [&](const InstancePtr& i) { return i->generation() == refusal.generation; };
      const auto at = std::find_if(instances.begin(), instances.end(), same);
      states.push_back(refused_offer(**at, refusal.reason));
    }
    state_->offers = std::move(choice.offers);
    state_->early.clear();
    for (const Offer& offer : state_->offers) {
      state_->newest = std::max(state_->newest, offer.plugin->generation());
    }
    state_->set_states(std::move(states));
    tell = state_->publish();
  }
  if (tell) tell();
  return std::move(choice.refusals);
}

std::vector<OfferRefusal> Registry::check(const std::vector<InstancePtr>& instances) {
  std::vector<InstancePtr> copy = instances;
  std::lock_guard lock(state_->mutex);
  return state_->choose(copy).refusals;
}

std::vector<OfferRefusal> Registry::publish(std::vector<InstancePtr> instances,
                                            std::vector<PluginState> states) {
  return set_plugins(std::move(instances), std::move(states));
}

void Registry::forget(const Instance& instance) {
  std::lock_guard lock(state_->mutex);
  state_->early.erase(instance.generation());
}

std::vector<PluginState> Registry::states() const { return snapshot()->plugins; }

std::vector<ItemSpec> Registry::offer_of(std::uint64_t generation) const {
  std::lock_guard lock(state_->mutex);
  const Offer* const offer = state_->find(generation);
  return offer ? specs_of(offer->items) : std::vector<ItemSpec>();
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
      if (state_->is_retired(instance)) return Status::ok();
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

void Registry::on_lists_changed(std::function<void(const ListChanges&)> listener) {
  std::lock_guard lock(state_->mutex);
  state_->listener = std::move(listener);
}

}  // namespace gantry::host
