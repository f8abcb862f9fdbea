#include "host/app/plugins.hpp"

#include <algorithm>

#include "host/app/files.hpp"
#include "host/app/options.hpp"
#include "host/app/plugin_report.hpp"
#include "host/worker/landlock.hpp"

namespace gantry::host {
namespace {

constexpr std::chrono::seconds kSelfCheck{5}, kUnload{2};

Level level_of(int syslog_level) {
  if (syslog_level <= 3) return Level::error;
  if (syslog_level == 4) return Level::warn;
  return syslog_level <= 6 ? Level::info : Level::debug;
}

// The sentence for the first required plugin that is not there.
Status check_required(const std::vector<std::string>& required,
                      const std::vector<PluginState>& plugins) {
  for (const auto& name : required) {
    std::string why = "there is no such plugin";
    bool there = false;
    for (const PluginState& plugin : plugins) {
      if (plugin.name != name) continue;
      there = there || plugin.generation != 0;
      why = plugin.reason;
    }
    if (there) continue;
    constexpr std::string_view kRefused = "start() failed: ";
    const bool is_own_word = why.starts_with(kRefused);
    return Status::invalid("the plugin '" + name +
                           (is_own_word ? "' does not start: " + why.substr(kRefused.size())
                                        : "' was configured but not loaded: " + why));
  }
  return {};
}

std::vector<Event::Seen> differences(AnnouncedLists& announced, Event::Kind kind) {
  using List = AnnouncedLists::List;
  const List list = kind == Event::Kind::tools_listed     ? List::tools
                    : kind == Event::Kind::prompts_listed ? List::prompts
                                                          : List::resources;
  std::vector<Event::Seen> out;
  for (auto& item : announced.take(list)) out.push_back({std::move(item.name), item.tier});
  return out;
}

void note(const ListChanges& changes, ListChangeDebouncer& lists) {
  if (changes.tools) lists.changed(Event::Kind::tools_listed);
  if (changes.prompts) lists.changed(Event::Kind::prompts_listed);
  if (changes.resources) lists.changed(Event::Kind::resources_listed);
}

void use_workers(Workers& workers, LoaderOptions& options) {
  options.make_worker = [&workers](Origin origin, SealedFilePtr file, HostServices& services,
                                   LogSink log, std::function<void()> changed) {
    return workers.make(std::move(origin), std::move(file), services, std::move(log),
                        std::move(changed));
  };
  options.probe = [&workers](const Origin& origin, const SealedFilePtr& file) {
    return workers.probe(origin, file);
  };
}

CallLimits with_gates(CallLimits limits, GateSet open) {
  limits.open_gates = open;
  return limits;
}

}  // namespace

Plugins::Plugins(const Settings& settings, Log& log, Metrics& metrics)
    : log_(log),
      calls_(Calls::create(registry_, bus_, metrics, with_gates(settings.limits.calls, open_gates_),
                           [&log](std::string_view plugin, std::string_view fault) {
                             log.write(Level::error, fault, {{"plugin", plugin}});
                           })) {}

// Starts from the published offers. The first comparison finds a change that was made just before
// the registry's first notification.
void Plugins::tell_of_changes() {
  told_ = std::make_unique<AnnouncedLists>(registry_);
  bus_.lists().set_differences([this](Event::Kind list) { return differences(*told_, list); });
  registry_.on_lists_changed([this](const ListChanges& changes) { note(changes, bus_.lists()); });
  note({true, true, true}, bus_.lists());
}

Result<std::unique_ptr<Plugins>> Plugins::load(const Settings& settings,
                                               const std::vector<std::string>& required,
                                               const std::filesystem::path& state, Log& log,
                                               Metrics& metrics) {
  std::unique_ptr<Plugins> out(new Plugins(settings, log, metrics));
  LoaderOptions options;
  options.landlock = landlock_version();
  options.closed = closed_paths(settings, state);
  options.services = out->calls_.get();
  const auto report = std::make_shared<PluginReport>(log);
  options.log = [report, required](std::string_view plugin, int level, std::string_view text) {
    const bool is_required = std::find(required.begin(), required.end(), plugin) != required.end();
    report->take_line(plugin, level_of(level), text, is_required);
  };
  auto trust = Trust::create(settings.trust);
  if (!trust) return trust.status();
  options.trust = std::move(*trust);
  options.settings = settings.plugins;
  options.overrides = settings.overrides;
  options.self_check = [calls = out->calls_.get()](const InstancePtr& plugin) {
    return calls->self_check(plugin, kSelfCheck);
  };
  options.publisher = &out->registry_;
  options.remembered = state / "plugins.json";
  options.report = [report, it = out.get()](const PluginState& plugin) {
    report->take(plugin);
    it->watch_sources();  // an operator may have loaded one more file
  };
  auto workers = Workers::create(*options.services, options.log, state, options.landlock);
  if (!workers) return workers.status();
  out->workers_ = std::move(*workers);
  use_workers(*out->workers_, options);
  auto loader = Loader::create(std::move(options));
  if (!loader) return loader.status();
  out->loader_ = std::move(*loader);
  out->loader_->load_all(plugin_sources(settings));
  const Status complete = check_required(required, out->loader_->list());
  if (!complete) return complete;
  report->begin();
  out->tell_of_changes();
  out->watch_sources();
  return out;
}

Status Plugins::apply(const Settings& settings) {
  auto trust = Trust::create(settings.trust);
  if (!trust) return trust.status();
  loader_->set_settings(settings.plugins, settings.overrides, plugin_sources(settings),
                        std::move(*trust));
  watch_sources();
  return {};
}

// On the watcher's thread.
void Plugins::rescan() {
  std::lock_guard lock(follow_mutex_);
  if (follows_) loader_->rescan();
}

void Plugins::watch_sources() {
  std::lock_guard lock(follow_mutex_);
  if (!follows_ || !loader_) return;
  std::vector<std::filesystem::path> paths;
  for (const PluginSource& source : loader_->sources()) paths.push_back(source.path);
  if (paths == sources_) return;
  sources_ = paths;
  watcher_.watch(std::move(paths));
}

Plugins::~Plugins() { unload(); }

bool Plugins::unload() {
  {
    std::lock_guard lock(follow_mutex_);
    follows_ = false;
  }
  registry_.set_plugins({}, {});
  Registry::release_cached();
  if (!loader_) return true;
  const UnloadResult result = loader_->unload_all(kUnload);
  if (result.in_use + result.leaked > 0) {
    log_.write(Level::warn, "plugins did not go",
               {{"in_use", static_cast<std::uint64_t>(result.in_use)},
                {"leaked", static_cast<std::uint64_t>(result.leaked)}});
  }
  if (result.in_use > 0) return false;
  loader_.reset();
  return true;
}

}  // namespace gantry::host
