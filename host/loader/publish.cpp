// What is told to the outlet, and how plugins stand.
#include <algorithm>
#include <set>
#include <utility>

#include "host/loader/live.hpp"

namespace gantry::host {
namespace {

const char* mode_of(const PluginEntry& entry, const Health& health) {
  if (!entry.quarantined.empty() || health.mode == Health::Mode::quarantined) return "quarantined";
  return health.mode == Health::Mode::restarting ? "restarting" : "serving";
}

}  // namespace

PluginState Live::state_of(const std::string& name, const PluginEntry& entry) const {
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
  state.draining = static_cast<int>(janitor_.draining(name)) + (entry.exchange ? 1 : 0);
  state.stuck = static_cast<int>(janitor_.stuck(name));
  return state;
}

// Of those whose items are not shown.
std::vector<PluginState> Live::hidden_states() const {
  std::vector<PluginState> hidden;
  for (const std::string& name : order_) {
    const auto known = book_.find(name);
    if (known == book_.end() || !known->second.is_loaded()) continue;
    PluginState state = state_of(name, known->second);
    if (state.state == "quarantined") hidden.push_back(std::move(state));
  }
  return hidden;
}

void Live::tell_outlet() {
  if (!options_.outlet) return;
  std::vector<PluginState> states = refused_;
  for (PluginState& state : hidden_states()) states.push_back(std::move(state));
  std::vector<InstancePtr> all = instances();
  std::vector<const Instance*> which;
  for (const InstancePtr& instance : all) which.push_back(instance.get());
  if (which == told_ && states == told_states_) return;
  told_ = std::move(which);
  told_states_ = states;
  end_refused(options_.outlet->publish(std::move(all), std::move(states)));
  options_.outlet->let_go();
}

void Live::publish() {
  tell_outlet();
  show();
}

// The last word is the outlet's: what it does not show must not run unseen.
void Live::end_refused(const std::vector<OfferRefusal>& refusals) {
  for (const OfferRefusal& refusal : refusals) {
    for (auto& [name, entry] : book_) {
      if (!entry.serving || entry.serving->generation() != refusal.generation) continue;
      const Origin origin = origin_of(*entry.serving);
      fail(entry, origin, refusal.reason, false);
      refused_.push_back(refused_state(origin, refusal.reason));
      janitor_.retire(std::exchange(entry.serving, nullptr));
      order_.erase(std::remove(order_.begin(), order_.end(), name), order_.end());
    }
  }
}

void Live::show() {
  std::vector<PluginState> states = refused_;
  std::set<std::string> shown, pending;
  View::Counts counts;
  for (const PluginState& state : states) shown.insert(state.name);
  for (const auto& [name, entry] : book_) {
    if (entry.exchange) pending.insert(name);
    if (!entry.is_loaded()) continue;
    states.push_back(state_of(name, entry));
    counts.emplace(name, entry.code()->abandoned_calls());
    shown.insert(name);
  }
  janitor_.add_counts(counts);
  for (const std::string& name : janitor_.names()) {
    if (!shown.insert(name).second) continue;
    PluginState ending;
    ending.name = name;
    ending.state = "ending";
    ending.reason = "its file is gone; calls still hold it";
    states.push_back(std::move(ending));
  }
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

Status Live::standing(std::string_view name) const {
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
