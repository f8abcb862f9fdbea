#include "host/loader/view.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {
namespace {

bool is_same_plugin(const PluginState& a, const PluginState& b) {
  if (a.name != b.name) return false;
  return (a.generation != 0 && b.generation != 0) || a.file == b.file;
}

bool is_news(const PluginState& now, const PluginState& before) {
  return now.generation != before.generation || now.state != before.state ||
         now.reason != before.reason || now.last_failure != before.last_failure ||
         now.stuck != before.stuck || (now.state == "refused" && now.sha256 != before.sha256);
}

std::vector<PluginState> news(const std::vector<PluginState>& before,
                              const std::vector<PluginState>& after) {
  std::vector<PluginState> out;
  for (const PluginState& now : after) {
    const auto known = std::find_if(before.begin(), before.end(),
                                    [&](const auto& old) { return is_same_plugin(old, now); });
    if (known == before.end() || is_news(now, *known)) out.push_back(now);
  }
  for (const PluginState& old : before) {
    const bool there = std::any_of(after.begin(), after.end(),
                                   [&](const auto& now) { return now.name == old.name; });
    if (there) continue;
    out.push_back(old);
    out.back().state = "removed";
    out.back().reason.clear();
    out.back().last_failure.clear();
  }
  return out;
}

}  // namespace

void View::overlay(std::vector<PluginState>& states) const {
  if (!publisher_) return;
  for (const PluginState& published : publisher_->states()) {
    if (published.state != "waiting") continue;
    for (PluginState& state : states) {
      if (state.generation != published.generation || state.state != "serving") continue;
      state.state = published.state;
      state.reason = published.reason;
    }
  }
}

std::vector<PluginState> View::list() const {
  std::vector<PluginState> states;
  {
    std::lock_guard lock(mutex_);
    states = states_;
    for (PluginState& state : states) {
      if (state.generation == 0 && state.draining == 0) continue;
      const auto [begin, end] = counts_.equal_range(state.name);
      for (auto at = begin; at != end; ++at) state.abandoned_calls += at->second->load();
    }
  }
  overlay(states);
  return states;
}

std::vector<PluginState> View::show(std::vector<PluginState> states, std::set<std::string> pending,
                                    Counts counts) {
  std::stable_sort(states.begin(), states.end(),
                   [](const auto& a, const auto& b) { return a.name < b.name; });
  std::vector<PluginState> shown = states;
  overlay(shown);
  std::vector<PluginState> out;
  {
    std::lock_guard lock(mutex_);
    states_ = std::move(states);
    counts_ = std::move(counts);
    pending_ = std::move(pending);
    settled_.notify_all();
    out = news(told_, shown);
    told_ = std::move(shown);
  }
  if (!out.empty()) changed_.raise();
  return out;
}

void View::wait_settled(std::string_view name) const {
  std::unique_lock lock(mutex_);
  settled_.wait(lock, [&] {
    return name.empty() ? pending_.empty() : !pending_.contains(std::string(name));
  });
}

std::vector<PluginSource> View::sources() const {
  std::lock_guard lock(mutex_);
  return sources_;
}

void View::set_sources(std::vector<PluginSource> sources) {
  std::lock_guard lock(mutex_);
  sources_ = std::move(sources);
}

}  // namespace gantry::host
