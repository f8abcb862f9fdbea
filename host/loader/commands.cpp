// What an operator does with plugins: PluginAdmin.
#include <algorithm>
#include <utility>

#include "host/loader/live.hpp"
#include "host/loader/loader.hpp"
#include "host/plugin/describe.hpp"

namespace gantry::host {
namespace {

Status unknown(std::string_view name) {
  return Status::not_found("there is no plugin \"" + std::string(name) +
                           "\"; list them to see which there are");
}

// Known by its file, even when nothing of it is loaded.
bool is_known(const View& view, std::string_view name) {
  const std::vector<PluginState> states = view.list();
  return std::any_of(states.begin(), states.end(),
                     [&](const PluginState& state) { return state.name == name; });
}

}  // namespace

std::vector<PluginState> Loader::list() const { return live_->view().list(); }

Result<PluginInfo> Loader::info(std::string_view name) const {
  PluginInfo info;
  bool known = false;
  for (const PluginState& state : list()) {
    if (state.name != name || (known && state.generation == 0)) continue;
    info.state = state;
    known = true;
  }
  if (!known) return unknown(name);
  info.manifest = info.offer = info.settings = "{}";
  live_->run([&] {
    const PluginEntry* const entry = live_->find(name);
    if (!entry || !entry->is_loaded()) return;
    const Generation& code = *entry->code();
    const PluginOutlet* const outlet = live_->options().outlet;
    info.manifest = manifest_json(code.manifest());
    info.offer = offer_json(outlet ? outlet->offer_of(code.generation()) : code.manifest().items);
    info.settings = settings_json(code.settings(), live_->options().landlock);
  });
  return info;
}

Status Loader::load(const std::filesystem::path& file) {
  if (!file.is_absolute()) {
    return Status::invalid(file.string() + " is no absolute path; give the whole path");
  }
  std::string name;
  live_->run([&] {
    for (const PluginState& state : live_->view().list()) {
      if (state.file != file.string()) continue;
      if (PluginEntry* const entry = live_->find(state.name)) entry->unloaded.clear();
    }
    live_->add_file(file);
    live_->follow();
  });
  for (const PluginState& state : list()) {
    if (state.file == file.string()) name = state.name;
  }
  if (name.empty()) {
    return Status::failed(file.string() +
                          " is not loaded: it is the file of a plugin that is there already");
  }
  live_->view().wait_settled(name);
  for (const PluginState& state : list()) {
    if (state.file == file.string() && state.generation == 0) return Status::failed(state.reason);
  }
  return live_->standing(name);
}

Status Loader::unload(std::string_view name) {
  Status status = unknown(name);
  live_->run([&] {
    PluginEntry* const entry = live_->find(name);
    if (!entry || !entry->is_loaded()) return;
    entry->unloading = true;
    live_->follow();
    status = Status::ok();
  });
  if (!status && is_known(live_->view(), name)) {
    return Status::failed("\"" + std::string(name) + "\" is not loaded");
  }
  live_->view().wait_settled(name);
  return status;
}

Status Loader::reload(std::string_view name) {
  Status status;
  live_->run([&] {
    std::vector<std::string> names{std::string(name)};
    if (name.empty()) names = live_->names();
    for (const std::string& each : names) {
      PluginEntry* const entry = live_->find(each);
      if (!entry) continue;
      entry->forced = true;
      entry->unloaded.clear();
      entry->quarantined.clear();
    }
    live_->follow();
  });
  live_->view().wait_settled(name);
  if (!name.empty()) return live_->standing(name);
  for (const PluginState& state : list()) {
    if (state.generation != 0 && !state.last_failure.empty()) {
      status = Status::failed("the plugin \"" + state.name + "\": " + state.last_failure);
    }
  }
  return status;
}

Status Loader::enable(std::string_view name) {
  if (!is_known(live_->view(), name)) return unknown(name);
  Status status;
  live_->run([&] {
    status = live_->remembered().enable(name);
    if (PluginEntry* const entry = live_->find(name)) entry->unloaded.clear();
    live_->follow();
  });
  live_->view().wait_settled(name);
  const Status now = live_->standing(name);
  return now ? status : now;
}

Status Loader::disable(std::string_view name) {
  if (!is_known(live_->view(), name)) return unknown(name);
  Status status;
  live_->run([&] {
    status = live_->remembered().disable(name);
    live_->follow();
  });
  live_->view().wait_settled(name);
  return status;
}

Status Loader::quarantine(std::string_view name, bool on) {
  Status status = unknown(name);
  bool again = false;
  live_->run([&] {
    PluginEntry* const entry = live_->find(name);
    if (!entry || !entry->is_loaded()) return;
    entry->quarantined = on ? entry->code()->sha256() : std::string();
    again = !on && entry->code()->health().mode == Health::Mode::quarantined;
    live_->publish();
    status = Status::ok();
  });
  return again ? reload(name) : status;
}

}  // namespace gantry::host
