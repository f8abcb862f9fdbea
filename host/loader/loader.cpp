#include "host/loader/loader.hpp"

#include <algorithm>
#include <utility>

#include "host/loader/plugin_manager.hpp"
#include "host/plugin/describe.hpp"

namespace gantry::host {
namespace {

constexpr std::chrono::seconds kLastDeadline{2};

Status unknown_plugin(std::string_view name) {
  return Status::not_found("there is no plugin \"" + std::string(name) +
                           "\"; list them to see which there are");
}

// Also true for a plugin with a file and without a loaded generation.
bool is_known(const View& view, std::string_view name) {
  const std::vector<PluginState> states = view.list();
  return std::any_of(states.begin(), states.end(),
                     [&](const PluginState& state) { return state.name == name; });
}

// For what needs a loaded generation.
Status not_loaded(const View& view, std::string_view name) {
  if (!is_known(view, name)) return unknown_plugin(name);
  return Status::failed("\"" + std::string(name) + "\" is not loaded");
}

}  // namespace

Result<std::unique_ptr<Loader>> Loader::create(LoaderOptions options) {
  return std::unique_ptr<Loader>(new Loader(std::make_unique<PluginManager>(std::move(options))));
}

Loader::Loader(std::unique_ptr<PluginManager> manager) : manager_(std::move(manager)) {}

Loader::~Loader() { unload_all(kLastDeadline); }

LoadResult Loader::load_all(const std::vector<PluginSource>& sources) {
  manager_->run([&] {
    manager_->set_sources(sources);
    manager_->follow();
  });
  manager_->view().wait_settled({});
  LoadResult result;
  manager_->run([&] {
    result.instances = manager_->table().shown();
    result.refused = manager_->table().refused();
  });
  return result;
}

void Loader::rescan() { manager_->rescan(); }

void Loader::set_settings(SettingsByName settings, std::vector<std::string> overrides,
                          std::vector<PluginSource> sources, std::shared_ptr<const Trust> trust) {
  manager_->run([&] {
    manager_->set_settings(std::move(settings), std::move(overrides), std::move(trust));
    manager_->set_sources(std::move(sources));
    manager_->follow();
  });
  manager_->view().wait_settled({});
}

std::vector<PluginSource> Loader::sources() const { return manager_->view().sources(); }

LoaderCounts Loader::counts() const { return manager_->counts(); }

UnloadResult Loader::unload_all(std::chrono::milliseconds deadline) {
  UnloadResult result;
  const auto when = std::chrono::steady_clock::now() + deadline;
  manager_->run([&] { result = manager_->unload_all(when); });
  return result;
}

ChangeSignal& Loader::changed() const { return manager_->view().changed(); }

std::vector<PluginState> Loader::list() const { return manager_->view().list(); }

Result<PluginInfo> Loader::info(std::string_view name) const {
  PluginInfo info;
  bool known = false;
  for (const PluginState& state : list()) {
    if (state.name != name || (known && state.generation == 0)) continue;
    info.state = state;
    known = true;
  }
  if (!known) return unknown_plugin(name);
  info.manifest = info.offer = info.settings = "{}";
  manager_->run([&] {
    const PluginEntry* const entry = manager_->table().find(name);
    if (!entry || !entry->is_loaded()) return;
    const Generation& code = *entry->code();
    const LoaderOptions& options = manager_->options();
    info.manifest = manifest_json(code.manifest());
    info.offer = offer_json(options.publisher ? options.publisher->offer_of(code.generation())
                                              : code.manifest().items);
    info.settings = settings_json(code.settings(), options.landlock);
  });
  return info;
}

Status Loader::load(const std::filesystem::path& file) {
  if (!file.is_absolute()) {
    return Status::invalid(file.string() + " is no absolute path; give the whole path");
  }
  std::string name;
  manager_->run([&] {
    for (const PluginState& state : list()) {
      if (state.file != file.string()) continue;
      if (PluginEntry* const entry = manager_->table().find(state.name)) entry->unloaded.clear();
    }
    manager_->add_file(file);
    manager_->follow();
  });
  for (const PluginState& state : list()) {
    if (state.file == file.string()) name = state.name;
  }
  if (name.empty()) {
    return Status::failed(file.string() +
                          " is not loaded: it is the file of a plugin that is there already");
  }
  manager_->view().wait_settled(name);
  for (const PluginState& state : list()) {
    if (state.file == file.string() && state.generation == 0) return Status::failed(state.reason);
  }
  return manager_->publication().standing(name);
}

Status Loader::unload(std::string_view name) {
  Status status = not_loaded(manager_->view(), name);
  manager_->run([&] {
    PluginEntry* const entry = manager_->table().find(name);
    if (!entry || !entry->is_loaded()) return;
    entry->unloading = true;
    manager_->follow();
    status = Status::ok();
  });
  if (!status) return status;
  manager_->view().wait_settled(name);
  return status;
}

Status Loader::reload(std::string_view name) {
  Status status;
  manager_->run([&] {
    std::vector<std::string> names{std::string(name)};
    if (name.empty()) names = manager_->table().names();
    for (const std::string& each : names) {
      PluginEntry* const entry = manager_->table().find(each);
      if (!entry) continue;
      entry->forced = true;
      entry->unloaded.clear();
      entry->quarantined.clear();
    }
    manager_->follow();
  });
  manager_->view().wait_settled(name);
  if (!name.empty()) return manager_->publication().standing(name);
  for (const PluginState& state : list()) {
    if (state.generation != 0 && !state.last_failure.empty()) {
      status = Status::failed("the plugin \"" + state.name + "\": " + state.last_failure);
    }
  }
  return status;
}

Status Loader::enable(std::string_view name) {
  if (!is_known(manager_->view(), name)) return unknown_plugin(name);
  Status status;
  manager_->run([&] {
    status = manager_->disabled().enable(name);
    if (PluginEntry* const entry = manager_->table().find(name)) entry->unloaded.clear();
    manager_->follow();
  });
  manager_->view().wait_settled(name);
  const Status now = manager_->publication().standing(name);
  return now ? status : now;
}

Status Loader::disable(std::string_view name) {
  if (!is_known(manager_->view(), name)) return unknown_plugin(name);
  Status status;
  manager_->run([&] {
    status = manager_->disabled().disable(name);
    manager_->follow();
  });
  manager_->view().wait_settled(name);
  return status;
}

Status Loader::quarantine(std::string_view name, bool on) {
  Status status = not_loaded(manager_->view(), name);
  bool again = false;
  manager_->run([&] {
    PluginEntry* const entry = manager_->table().find(name);
    if (!entry || !entry->is_loaded()) return;
    entry->quarantined = on ? entry->code()->sha256() : std::string();
    again = !on && entry->code()->health().mode == Health::Mode::quarantined;
    manager_->publication().publish();
    status = Status::ok();
  });
  return again ? reload(name) : status;
}

}  // namespace gantry::host
