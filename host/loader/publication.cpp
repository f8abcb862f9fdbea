#include "host/loader/publication.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "host/loader/batch.hpp"
#include "host/loader/janitor.hpp"
#include "host/loader/plugin_table.hpp"
#include "host/loader/start_attempt.hpp"

namespace gantry::host {
namespace {

const char* mode_of(const PluginEntry& entry, const Health& health) {
  if (!entry.quarantined.empty() || health.mode == Health::Mode::quarantined) return "quarantined";
  return health.mode == Health::Mode::restarting ? "restarting" : "serving";
}

}  // namespace

PluginState Publication::state_of(const std::string& name, const PluginEntry& entry) const {
  const Generation& code = *entry.code();
  const Health health = code.health();
  PluginState state;
  state.name = name;
  state.version = code.manifest().version;
  state.file = entry.file.string();
  state.sha256 = code.sha256();
  state.generation = code.generation();
  state.state = mode_of(entry, health);
  state.reason = entry.quarantined.empty() ? health.reason : "quarantined by command";
  state.builtin = code.builtin();
  state.in_worker = code.in_worker();
  state.last_failure = entry.last_failure;
  state.restarts = health.restarts;
  state.pid = health.pid;
  state.draining = static_cast<int>(janitor_.draining(name)) + (entry.swap ? 1 : 0);
  state.stuck = static_cast<int>(janitor_.stuck(name));
  return state;
}

// The states of plugins whose items are hidden.
std::vector<PluginState> Publication::hidden_states() const {
  std::vector<PluginState> hidden;
  for (const std::string& name : table_.order()) {
    const PluginEntry* const entry = table_.find(name);
    if (!entry || !entry->is_loaded()) continue;
    PluginState state = state_of(name, *entry);
    if (state.state == "quarantined") hidden.push_back(std::move(state));
  }
  return hidden;
}

void Publication::publish() {
  publish_instances();
  show();
}

void Publication::publish_instances() {
  if (!options_.publisher) return;
  std::vector<PluginState> states = table_.refused();
  for (PluginState& state : hidden_states()) states.push_back(std::move(state));
  std::vector<InstancePtr> all = table_.shown();
  std::vector<const Instance*> which;
  for (const InstancePtr& instance : all) which.push_back(instance.get());
  if (which == published_ && states == published_states_) return;
  published_ = std::move(which);
  published_states_ = states;
  retire_refused(options_.publisher->publish(std::move(all), std::move(states)));
  options_.publisher->let_go();
}

// A generation that the publisher does not show must not run unseen.
void Publication::retire_refused(const std::vector<OfferRefusal>& refusals) {
  for (const OfferRefusal& refusal : refusals) {
    for (auto& [name, entry] : table_.entries()) {
      if (!entry.serving || entry.serving->generation() != refusal.generation) continue;
      const Origin origin = origin_of(*entry.serving);
      table_.record_failure(entry, origin, refusal.reason, false);
      table_.add_refused(refused_state(origin, refusal.reason));
      janitor_.retire(std::exchange(entry.serving, nullptr));
      table_.remove_from_order(name);
    }
  }
}

// Of plugins that are gone but for generations that calls hold.
std::vector<PluginState> Publication::ending_states(const std::vector<PluginState>& others) const {
  std::set<std::string> known;
  for (const PluginState& state : others) known.insert(state.name);
  std::vector<PluginState> ending;
  for (const std::string& name : janitor_.names()) {
    if (!known.insert(name).second) continue;
    PluginState& state = ending.emplace_back();
    state.name = name;
    state.state = "ending";
    state.reason = "its file is gone; calls still hold it";
  }
  return ending;
}

void Publication::show() {
  std::vector<PluginState> states = table_.refused();
  std::set<std::string> pending;
  View::Counts counts;
  for (const auto& [name, entry] : table_.entries()) {
    if (entry.swap) pending.insert(name);
    if (!entry.is_loaded()) continue;
    states.push_back(state_of(name, entry));
    counts.emplace(name, entry.code()->abandoned_calls());
  }
  janitor_.add_counts(counts);
  for (PluginState& state : ending_states(states)) states.push_back(std::move(state));
  for (PluginState& state : states) {
    if (state.generation != 0) continue;
    state.draining = static_cast<int>(janitor_.draining(state.name));
    state.stuck = static_cast<int>(janitor_.stuck(state.name));
  }
  for (const PluginState& state :
       view_.show(std::move(states), std::move(pending), std::move(counts))) {
    if (options_.report) options_.report(state);
  }
}

void Publication::clear() {
  published_.clear();
  published_states_.clear();
  view_.show({}, {}, {});
}

void Publication::discard(StartAttempt attempt) {
  if (attempt.instance && options_.publisher) options_.publisher->forget(*attempt.instance);
  janitor_.retire(std::move(attempt));
}

Status Publication::standing(std::string_view name) const {
  Status worst = Status::not_found("there is no plugin \"" + std::string(name) +
                                   "\"; list them to see which there are");
  for (const PluginState& state : view_.list()) {
    if (state.name != name) continue;
    if (state.generation != 0 && state.last_failure.empty()) return Status::ok();
    worst = Status::failed(state.generation != 0 ? state.last_failure + " (the old one serves on)"
                                                 : state.reason);
    if (state.generation != 0) return worst;
  }
  return worst;
}

}  // namespace gantry::host
