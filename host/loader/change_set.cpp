#include "host/loader/change_set.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gantry::host {
namespace {

class Comparison {
 public:
  Comparison(const LoaderOptions& options, const Remembered& remembered, std::uint64_t changes,
             PluginBook& book)
      : options_(options), remembered_(remembered), changes_(changes), book_(book) {}

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

  // The plugin that was loaded from there before goes on.
  void add_unusable(const SeenFile& file) {
    PluginState state = refused_state(file.origin, file.problem);
    for (auto& [name, entry] : book_) {
      if (!entry.is_loaded() || entry.file != file.file || is_gone(file)) continue;
      state.name = name;
      if (goes(entry)) break;
      batch().failed.push_back(std::move(state));
      batch().candidates.push_back(staying(entry));
      return;
    }
    batch().refused.push_back(std::move(state));
  }

  // Although nothing is known of its new file.
  bool goes(PluginEntry& entry) const {
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

  // The file that a loaded plugin came from is the first of its name, then one with the same
  // content: it was moved.
  int rank(const Candidate& candidate) const {
    if (candidate.stays) return 0;
    const auto known = book_.find(candidate.origin.manifest.name);
    if (known == book_.end() || !known->second.is_loaded()) return 3;
    if (known->second.file == candidate.origin.file) return 1;
    return known->second.code()->sha256() == candidate.origin.sha256 ? 2 : 3;
  }

  void refuse_second_files() {
    std::stable_sort(batch().candidates.begin(), batch().candidates.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    refuse_doubles(batch());
  }

  // Why it shall not be loaded, or empty.
  std::string ban(const Origin& origin, const PluginEntry& entry) const {
    if (!origin.settings.enabled) return "disabled by configuration";
    if (remembered_.is_disabled(origin.manifest.name)) return "disabled by command";
    if (entry.unloaded == origin.sha256) return "unloaded by command until its file changes";
    return {};
  }

  // Decides what becomes of it; false: it is not for the plan.
  bool judge(Candidate& candidate) {
    if (candidate.stays) return true;
    PluginEntry& entry = book_[candidate.origin.manifest.name];
    if (std::exchange(entry.unloading, false)) entry.unloaded = candidate.origin.sha256;
    if (std::string why = ban(candidate.origin, entry); !why.empty()) {
      batch().refused.push_back(disabled_state(candidate.origin, std::move(why)));
      return false;
    }
    entry.unloaded.clear();
    const bool busy = entry.exchange != nullptr;
    if (busy || is_current(candidate.origin, entry)) {
      entry.parked = busy && (entry.forced || !is_next(candidate.origin, entry));
      if (!busy) entry.last_failure.clear();
      entry.file = candidate.origin.file;
      candidate = staying(entry);
      return true;
    }
    candidate.serving = entry.serving;
    candidate.shown = entry.serving;
    if (entry.forced || !entry.failed || !entry.failed->is_of(candidate.origin, changes_))
      return true;
    return stands_as_it_failed(candidate, *entry.failed);
  }

  bool stands_as_it_failed(Candidate& candidate, const Attempt& failed) {
    PluginState state = refused_state(candidate.origin, failed.reason);
    if (!candidate.serving) {
      batch().refused.push_back(std::move(state));
      return false;
    }
    batch().failed.push_back(std::move(state));
    candidate = staying(book_[candidate.origin.manifest.name]);
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
    const Origin& next = entry.exchange->next;
    return next.sha256 == origin.sha256 && next.settings == origin.settings &&
           next.builtin == origin.builtin;
  }

  void note_removed() {
    std::set<std::string, std::less<>> there;
    for (const Candidate& candidate : batch().candidates) {
      there.insert(candidate.origin.manifest.name);
    }
    for (const auto& [name, entry] : book_) {
      if (!entry.is_loaded() || there.contains(name)) continue;
      if (entry.exchange) {
        batch().candidates.push_back(staying(entry));  // first it has to arrive
      } else {
        set_.removed.push_back(name);
      }
    }
  }

  const LoaderOptions& options_;
  const Remembered& remembered_;
  const std::uint64_t changes_;
  PluginBook& book_;
  ChangeSet set_;
};

}  // namespace

PluginState disabled_state(const Origin& origin, std::string reason) {
  PluginState state = refused_state(origin, std::move(reason));
  state.state = "disabled";
  return state;
}

ChangeSet compare(const std::vector<SeenFile*>& files, const LoaderOptions& options,
                  const Remembered& remembered, std::uint64_t changes, PluginBook& book) {
  return Comparison(options, remembered, changes, book).of(files);
}

}  // namespace gantry::host
