#include "host/loader/live.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {

Live::Live(LoaderOptions options)
    : options_(std::move(options)),
      view_(options_.outlet),
      remembered_(options_.remembered, options_.log),
      files_(options_.log, options_.trust),
      janitor_(options_.grace),
      control_([this] { return poll(); }) {
  hook_->live = this;
}

Live::~Live() {
  std::lock_guard lock(hook_->mutex);
  hook_->live = nullptr;
}

void Live::rescan() {
  if (wanted_.exchange(true)) return;
  control_.post([this] {
    wanted_.store(false);
    follow();
  });
}

// Called for every worker that changed, under the hook's lock.
void Live::health_changed() {
  if (health_wanted_.exchange(true)) return;
  control_.post([this] {
    health_wanted_.store(false);
    if (!ended_) publish();
  });
}

BringUp Live::with() {
  BringUp with;
  with.options = &options_;
  with.probes_builtin = !first_;
  with.changed = [hook = hook_] {
    std::lock_guard lock(hook->mutex);
    if (hook->live) hook->live->health_changed();
  };
  return with;
}

// After each piece of work and now and then while something is on its way out.
std::optional<std::chrono::milliseconds> Live::poll() {
  if (options_.outlet) options_.outlet->let_go();
  const std::size_t stuck = janitor_.counts().stuck;
  const bool ended = janitor_.poll();
  const bool arrived = poll_exchanges();
  const bool parked = std::any_of(book_.begin(), book_.end(),
                                  [](const auto& known) { return known.second.parked; });
  if (arrived || again_ || (ended && parked)) {
    again_ = false;
    follow();
  } else if (ended || janitor_.counts().stuck != stuck) {
    show();
  }
  auto next = janitor_.next();
  const bool exchanging = std::any_of(book_.begin(), book_.end(), [](const auto& known) {
    return known.second.exchange != nullptr;
  });
  constexpr std::chrono::milliseconds kExchange{2};
  if (exchanging) next = std::min(next.value_or(kExchange), kExchange);
  constexpr std::chrono::milliseconds kAgain{50};
  if (again_) next = std::min(next.value_or(kAgain), kAgain);
  return next;
}

void Live::set_sources(std::vector<PluginSource> sources) {
  ended_ = false;
  given_ = std::move(sources);
  std::vector<PluginSource> all = given_;
  all.insert(all.end(), added_.begin(), added_.end());
  view_.set_sources(std::move(all));
}

void Live::add_file(const std::filesystem::path& file) {
  const PluginSource source{file, false};
  if (std::find(added_.begin(), added_.end(), source) == added_.end()) added_.push_back(source);
  set_sources(given_);
}

void Live::set_settings(SettingsByName settings, std::vector<std::string> overrides,
                        std::shared_ptr<const Trust> trust) {
  files_.set_trust(std::move(trust));
  options_.settings = std::move(settings);
  options_.overrides = std::move(overrides);
  files_.forget_content();
}

PluginEntry* Live::find(std::string_view name) {
  const auto known = book_.find(name);
  return known == book_.end() ? nullptr : &known->second;
}

std::vector<std::string> Live::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : book_) names.push_back(name);
  return names;
}

std::vector<InstancePtr> Live::instances() const {
  std::vector<InstancePtr> instances;
  for (const std::string& name : order_) {
    const auto known = book_.find(name);
    if (known == book_.end() || !known->second.is_loaded()) continue;
    instances.push_back(known->second.shown());
  }
  return instances;
}

UnloadResult Live::unload_all(Clock::time_point deadline) {
  const LoaderCounts before = janitor_.counts();
  ended_ = true;
  if (options_.outlet) {
    options_.outlet->publish({}, {});
    options_.outlet->let_go();
  }
  for (auto name = order_.rbegin(); name != order_.rend(); ++name) {
    PluginEntry& entry = book_[*name];
    if (entry.exchange) entry.exchange->stand_in->release(nullptr);
    janitor_.retire(GenerationPtr(entry.code()));
    entry = {};
  }
  order_.clear();
  book_.clear();
  refused_.clear();
  told_.clear();
  told_states_.clear();
  UnloadResult result;
  result.in_use = janitor_.end_all(deadline);
  const LoaderCounts after = janitor_.counts();
  result.unloaded = after.unloaded - before.unloaded;
  result.kept = after.kept - before.kept;
  result.leaked = after.leaked - before.leaked;
  view_.show({}, {}, {});
  return result;
}

}  // namespace gantry::host
