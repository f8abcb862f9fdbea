#include "host/loader/plugin_manager.hpp"

#include <algorithm>
#include <utility>

#include "host/loader/change_set.hpp"

namespace gantry::host {

PluginManager::PluginManager(LoaderOptions options)
    : options_(std::move(options)),
      disabled_(options_.remembered, options_.log),
      files_(options_.log, options_.trust),
      janitor_(options_.grace),
      publication_(options_, table_, janitor_),
      rollout_(start_, files_, table_, janitor_, publication_),
      requests_(std::make_shared<ControlRequests>([this](ControlRequest r) { handle(r); })),
      control_([this] { return after_work(); }) {
  start_.options = &options_;
  start_.changed = [requests = requests_] { requests->ask(ControlRequest::publish); };
  start_.unused = [requests = requests_] { requests->ask(ControlRequest::collect); };
  requests_->attach(&control_);
}

PluginManager::~PluginManager() { requests_->attach(nullptr); }

void PluginManager::handle(ControlRequest request) {
  if (request == ControlRequest::rescan) follow();
  if (request == ControlRequest::publish && !ended_) publication_.publish();
  // after_work() collects.
}

std::optional<PluginManager::Clock::time_point> PluginManager::after_work() {
  while (collect()) {
  }
  std::optional<Clock::time_point> next = janitor_.next_deadline();
  for (const auto& other : {rollout_.swaps().next_deadline(), rollout_.retry_at()}) {
    if (other) next = std::min(next.value_or(*other), *other);
  }
  return next;
}

// Ends generations that have no holders and does the work that waited for their end. True when that
// may have left others without holders.
bool PluginManager::collect() {
  if (options_.publisher) options_.publisher->let_go();
  const std::size_t stuck = janitor_.counts().stuck;
  const bool ended = janitor_.collect();
  const bool swapped = rollout_.swaps().advance();
  if (swapped || rollout_.take_retry() || (ended && table_.has_parked())) {
    follow();
    return true;
  }
  if (ended || janitor_.counts().stuck != stuck) publication_.show();
  return false;
}

void PluginManager::follow() {
  if (ended_) return;
  rollout_.apply(compare(files_.inspect(sources_.all()), options_, disabled_, table_));
  files_.drop_bytes();
  start_.probes_builtin = true;  // after the first load
}

std::vector<PluginSource> PluginManager::Sources::all() const {
  std::vector<PluginSource> all = configured;
  all.insert(all.end(), added.begin(), added.end());
  return all;
}

void PluginManager::set_sources(std::vector<PluginSource> sources) {
  ended_ = false;
  sources_.configured = std::move(sources);
  publication_.view().set_sources(sources_.all());
}

void PluginManager::add_file(const std::filesystem::path& file) {
  const PluginSource source{file, false};
  std::vector<PluginSource>& added = sources_.added;
  if (std::find(added.begin(), added.end(), source) == added.end()) added.push_back(source);
  ended_ = false;
  publication_.view().set_sources(sources_.all());
}

void PluginManager::set_settings(SettingsByName settings, std::vector<std::string> overrides,
                                 std::shared_ptr<const Trust> trust) {
  files_.set_trust(std::move(trust));
  options_.settings = std::move(settings);
  options_.overrides = std::move(overrides);
  files_.forget_content();
}

LoaderCounts PluginManager::counts() const {
  LoaderCounts counts = janitor_.counts();
  counts.loaded = table_.started_count();
  counts.failed = table_.failed_count();
  return counts;
}

UnloadResult PluginManager::unload_all(Clock::time_point deadline) {
  const LoaderCounts before = janitor_.counts();
  ended_ = true;
  if (options_.publisher) {
    options_.publisher->publish({}, {});
    options_.publisher->let_go();
  }
  const std::vector<std::string> order = table_.order();
  for (auto name = order.rbegin(); name != order.rend(); ++name) {
    PluginEntry& entry = table_[*name];
    if (entry.swap) entry.swap->placeholder->release(nullptr);
    janitor_.retire(GenerationPtr(entry.code()));
    entry = {};
  }
  table_.clear();
  UnloadResult result;
  result.in_use = janitor_.end_all(deadline);
  const LoaderCounts after = janitor_.counts();
  result.unloaded = after.unloaded - before.unloaded;
  result.kept = after.kept - before.kept;
  result.leaked = after.leaked - before.leaked;
  publication_.clear();
  return result;
}

}  // namespace gantry::host
