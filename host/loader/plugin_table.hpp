// host/loader/plugin_table.hpp: the loader's record of each plugin. Control thread, but for what is
// marked.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/loader/swap_placeholder.hpp"
#include "host/plugin/generation.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

// A file and configuration that failed to start: not tried again unchanged.
struct FailedAttempt {
  std::string sha256;
  PluginSettings settings;
  bool builtin = false;
  std::string reason;
  // Set when another plugin caused the failure: tried again once a later change set was applied.
  std::optional<std::uint64_t> until_change;

  bool is_of(const Origin& origin, std::uint64_t change) const {
    if (until_change && *until_change != change) return false;
    return sha256 == origin.sha256 && builtin == origin.builtin && settings == origin.settings;
  }
};

// The replacement of an exclusive plugin, from the publication of the placeholder until the next
// generation serves.
struct ExclusiveSwap {
  std::shared_ptr<SwapPlaceholder> placeholder;
  GenerationPtr old;
  Origin next;
  SealedFilePtr file;  // of `next`
  std::chrono::steady_clock::time_point deadline;
};

inline constexpr const char* kUnusable = "unusable";

// One plugin name. `serving` is null during a swap.
struct PluginEntry {
  GenerationPtr serving;
  std::filesystem::path file;  // the plugin's file now; it may have moved since it was loaded
  std::optional<FailedAttempt> failed;
  std::string last_failure;  // why the newest file or configuration does not serve
  bool unloading = false;    // the operator's: do not load the file as it is now
  std::string unloaded;     // sha256 of the file not to load; kUnusable for a file without manifest
  std::string quarantined;  // the operator's: sha256 of the file whose items are hidden
  bool forced = false;      // start a new generation even if nothing changed
  bool parked = false;      // its newest file waits until older generations are gone
  std::unique_ptr<ExclusiveSwap> swap;

  bool is_loaded() const { return serving || swap; }
  const GenerationPtr& code() const { return swap ? swap->old : serving; }
  // The instance to publish.
  InstancePtr shown() const {
    if (swap) return swap->placeholder;
    return share(serving);
  }
  // A generation of `origin` serves from now on.
  void accept(const Origin& origin);
};

class PluginTable {
 public:
  using Entries = std::map<std::string, PluginEntry, std::less<>>;

  // The entry of that name; made when there is none.
  PluginEntry& operator[](const std::string& name) { return entries_[name]; }
  PluginEntry* find(std::string_view name);  // null: unknown
  Entries& entries() { return entries_; }
  const Entries& entries() const { return entries_; }
  std::vector<std::string> names() const;
  bool has_parked() const;

  // Names of the loaded plugins, providers before users.
  const std::vector<std::string>& order() const { return order_; }
  void set_order(std::vector<std::string> order) { order_ = std::move(order); }
  void remove_from_order(const std::string& name);
  std::vector<InstancePtr> shown() const;  // in this order

  // Plugins and files of which nothing is loaded.
  const std::vector<PluginState>& refused() const { return refused_; }
  void set_refused(std::vector<PluginState> refused) { refused_ = std::move(refused); }
  void add_refused(PluginState state) { refused_.push_back(std::move(state)); }

  // `origin` failed to start. `may_pass`: because of another plugin, so it is tried again after a
  // change of any plugin; otherwise only after a change of its own file or configuration.
  void record_failure(PluginEntry& entry, const Origin& origin, std::string reason, bool may_pass);
  void record_start() { ++started_; }
  // Change sets that changed something.
  std::uint64_t changes() const { return changes_; }
  void end_change(bool changed);

  // Since the loader was made. Any thread.
  std::size_t started_count() const { return started_; }
  std::size_t failed_count() const { return failed_; }

  void clear();  // but for the counts

 private:
  Entries entries_;
  std::vector<std::string> order_;
  std::vector<PluginState> refused_;
  std::uint64_t changes_ = 0;
  std::vector<std::string> may_pass_;  // plugins that failed in this change set because of others
  std::atomic<std::size_t> started_{0}, failed_{0};
};

}  // namespace gantry::host
