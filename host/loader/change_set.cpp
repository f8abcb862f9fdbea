#include "host/loader/change_set.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "host/loader/disabled_plugins.hpp"
#include "host/loader/loader_options.hpp"
#include "host/loader/plugin_table.hpp"
#include "host/loader/seen_files.hpp"

namespace gantry::host {
namespace {

class Comparison {
 public:
  Comparison(const LoaderOptions& options, const DisabledPlugins& disabled, PluginTable& table)
      : options_(options), disabled_(disabled), table_(table) {}

  ChangeSet of(const std::vector<SeenFile*>& files) {
    for (SeenFile* file : files) add(*file);
    refuse_second_files();
    for (auto at = batch().candidates.begin(); at != batch().candidates.end();) {
      at = judge(*at) ? at + 1 : batch().candidates.erase(at);
    }
    note_removed();
    return std::move(set_);
  }

 private:
  Batch& batch() { return set_.batch; }

  void add(SeenFile& file) {
    if (!file.problem.empty()) {
      add_unusable(file);
      return;
    }
    Candidate candidate;
    candidate.origin = file.origin;
    candidate.seen = &file;
    apply_settings(candidate.origin);
    batch().candidates.push_back(std::move(candidate));
  }

  // A plugin that was loaded from this file before stays.
  void add_unusable(const SeenFile& file) {
    PluginState state = refused_state(file.origin, file.problem);
    for (auto& [name, entry] : table_.entries()) {
      if (!entry.is_loaded() || entry.file != file.file || is_gone(file)) continue;
      state.name = name;
      if (is_unwanted(entry)) break;
      batch().failed.push_back(std::move(state));
      batch().candidates.push_back(staying(entry));
      return;
    }
    batch().refused.push_back(std::move(state));
  }

  // Whether the plugin is disabled or unloaded, although its new file has no readable manifest.
  bool is_unwanted(PluginEntry& entry) const {
    if (std::exchange(entry.unloading, false)) entry.unloaded = kUnusable;
    Origin origin = origin_of(*entry.code());
    apply_settings(origin);
    return entry.unloaded == kUnusable || !ban(origin, entry).empty();
  }

  static bool is_gone(const SeenFile& file) {
    std::error_code error;
    return !std::filesystem::exists(file.file, error) && !error;
  }

  static Candidate staying(const PluginEntry& entry) {
    Candidate candidate;
    candidate.origin = origin_of(*entry.code());
    candidate.origin.file = entry.file;
    candidate.serving = entry.code();
    candidate.shown = entry.shown();
    candidate.stays = true;
    return candidate;
  }

  void apply_settings(Origin& origin) const {
    const std::string& name = origin.manifest.name;
    if (const auto known = options_.settings.find(name); known != options_.settings.end()) {
      origin.settings = known->second;
    }
    origin.settings.may_override |= std::find(options_.overrides.begin(), options_.overrides.end(),
                                              name) != options_.overrides.end();
  }

  // Of files with one plugin name the file of the loaded plugin is first, then one with the same
  // content, since the file was moved.
  int rank(const Candidate& candidate) const {
    if (candidate.stays) return 0;
    const PluginEntry* const entry = table_.find(candidate.origin.manifest.name);
    if (!entry || !entry->is_loaded()) return 3;
    if (entry->file == candidate.origin.file) return 1;
    return entry->code()->sha256() == candidate.origin.sha256 ? 2 : 3;
  }

  void refuse_second_files() {
    std::stable_sort(batch().candidates.begin(), batch().candidates.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    reject_duplicates(batch());
  }

  // The reason not to load it, or empty.
  std::string ban(const Origin& origin, const PluginEntry& entry) const {
    if (!origin.settings.enabled) return "disabled by configuration";
    if (disabled_.is_disabled(origin.manifest.name)) return "disabled by command";
    if (entry.unloaded == origin.sha256) return "unloaded by command until its file changes";
    return {};
  }

  // False: the candidate takes no part in the plan.
  bool judge(Candidate& candidate) {
    if (candidate.stays) return true;
    PluginEntry& entry = table_[candidate.origin.manifest.name];
    if (std::exchange(entry.unloading, false)) entry.unloaded = candidate.origin.sha256;
    if (std::string why = ban(candidate.origin, entry); !why.empty()) {
      batch().refused.push_back(disabled_state(candidate.origin, std::move(why)));
      return false;
    }
    entry.unloaded.clear();
    const bool busy = entry.swap != nullptr;
    if (busy || is_current(candidate.origin, entry)) {
      entry.parked = busy && (entry.forced || !is_next(candidate.origin, entry));
      if (!busy) entry.last_failure.clear();
      entry.file = candidate.origin.file;
      candidate = staying(entry);
      return true;
    }
    candidate.serving = entry.serving;
    candidate.shown = share(entry.serving);
    if (entry.forced || !entry.failed || !entry.failed->is_of(candidate.origin, table_.changes()))
      return true;
    return stands_as_it_failed(candidate, *entry.failed);
  }

  bool stands_as_it_failed(Candidate& candidate, const FailedAttempt& failed) {
    PluginState state = refused_state(candidate.origin, failed.reason);
    if (!candidate.serving) {
      batch().refused.push_back(std::move(state));
      return false;
    }
    batch().failed.push_back(std::move(state));
    candidate = staying(table_[candidate.origin.manifest.name]);
    return true;
  }

  static bool is_current(const Origin& origin, const PluginEntry& entry) {
    if (!entry.serving || entry.forced) return false;
    return is_same(origin, *entry.serving);
  }

  static bool is_same(const Origin& origin, const Generation& there) {
    return there.sha256() == origin.sha256 && there.settings() == origin.settings &&
           there.builtin() == origin.builtin;
  }

  static bool is_next(const Origin& origin, const PluginEntry& entry) {
    const Origin& next = entry.swap->next;
    return next.sha256 == origin.sha256 && next.settings == origin.settings &&
           next.builtin == origin.builtin;
  }

  void note_removed() {
    std::set<std::string, std::less<>> there;
    for (const Candidate& candidate : batch().candidates) {
      there.insert(candidate.origin.manifest.name);
    }
    for (const auto& [name, entry] : table_.entries()) {
      if (!entry.is_loaded() || there.contains(name)) continue;
      if (entry.swap) {
        batch().candidates.push_back(staying(entry));  // removed after the swap
      } else {
        set_.removed.push_back(name);
      }
    }
  }

  const LoaderOptions& options_;
  const DisabledPlugins& disabled_;
  PluginTable& table_;
  ChangeSet set_;
};

}  // namespace

PluginState disabled_state(const Origin& origin, std::string reason) {
  PluginState state = refused_state(origin, std::move(reason));
  state.state = "disabled";
  return state;
}

ChangeSet compare(const std::vector<SeenFile*>& files, const LoaderOptions& options,
                  const DisabledPlugins& disabled, PluginTable& table) {
  return Comparison(options, disabled, table).of(files);
}

}  // namespace gantry::host
