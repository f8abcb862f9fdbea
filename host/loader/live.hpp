// host/loader/live.hpp: the plugins as they are now, and how they follow their files.
//
// All of it belongs to the control thread, but for what is marked. Internal to the loader.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/loader/batch.hpp"
#include "host/loader/bring_up.hpp"
#include "host/loader/change_set.hpp"
#include "host/loader/control_thread.hpp"
#include "host/loader/janitor.hpp"
#include "host/loader/loader_options.hpp"
#include "host/loader/plugin_book.hpp"
#include "host/loader/remembered.hpp"
#include "host/loader/seen_files.hpp"
#include "host/loader/view.hpp"

namespace gantry::host {

class Live {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Live(LoaderOptions options);
  ~Live();  // everything is unloaded before

  // Any thread but the control thread: runs it there.
  void run(const std::function<void()>& work) { control_.run(work); }
  void rescan();                              // any thread
  const View& view() const { return view_; }  // any thread
  LoaderCounts counts() const { return janitor_.counts(); }

  // Makes everything as the files and the operator say, in one change set.
  void follow();
  void set_sources(std::vector<PluginSource> sources);
  void set_settings(SettingsByName settings, std::vector<std::string> overrides,
                    std::shared_ptr<const Trust> trust);
  void add_file(const std::filesystem::path& file);
  UnloadResult unload_all(Clock::time_point deadline);

  // Null where nothing is known of it.
  PluginEntry* find(std::string_view name);
  // How it stands, with the reason when it does not serve its newest file.
  Status standing(std::string_view name) const;
  std::vector<std::string> names() const;
  Remembered& remembered() { return remembered_; }
  void show();     // to those who ask for states
  void publish();  // the same, and first to the outlet
  const LoaderOptions& options() const { return options_; }
  std::vector<InstancePtr> instances() const;  // that are published, providers before users
  const std::vector<PluginState>& refused() const { return refused_; }

 private:
  // Reaches the loader as long as it is there.
  struct Hook {
    std::mutex mutex;
    Live* live;
  };

  std::optional<std::chrono::milliseconds> poll();
  void health_changed();
  BringUp with();

  // follow_files.cpp: one change set
  void raise(Batch& batch);
  std::string raise(Candidate& candidate);
  std::string wait_for_place(const Candidate& candidate, PluginEntry& entry);
  void settle(Batch& batch);
  std::vector<Misfit> refused_offers(const Batch& batch);
  void turn_down(Batch& batch, std::vector<Misfit> misfits);
  void adopt(Batch& batch, const std::vector<std::string>& removed);
  void fail(PluginEntry& entry, const Origin& origin, std::string reason, bool may_pass);
  void drop(Raised raised);

  // exchange.cpp: exclusive plugins
  std::string begin_exchange(PluginEntry& entry, Candidate& candidate, SealedFilePtr file);
  bool poll_exchanges();
  void give_up(PluginEntry& entry);
  void finish_exchange(const std::string& name, PluginEntry& entry);
  Raised go_over(PluginEntry& entry, Exchange& exchange);
  std::string refused_offer(const std::string& name, const GenerationPtr& newcomer);

  // publish.cpp
  void tell_outlet();
  std::vector<PluginState> hidden_states() const;
  PluginState state_of(const std::string& name, const PluginEntry& entry) const;
  void end_refused(const std::vector<OfferRefusal>& refusals);

  LoaderOptions options_;
  View view_;
  Remembered remembered_;
  SeenFiles files_;
  Janitor janitor_;
  PluginBook book_;
  std::vector<std::string> order_;  // of loaded plugins, providers before users
  std::vector<PluginState> refused_;
  // What was published last; the outlet keeps them.
  std::vector<const Instance*> told_;
  std::vector<PluginState> told_states_;
  std::vector<PluginSource> given_, added_;
  std::uint64_t changes_ = 0;       // change sets that changed something
  std::vector<std::string> tried_;  // that failed and may pass later, in this change set
  bool first_ = true;               // nothing was ever loaded
  bool again_ = false;              // a file changed under our hands
  bool ended_ = false;
  std::atomic<bool> wanted_{false}, health_wanted_{false};
  std::shared_ptr<Hook> hook_ = std::make_shared<Hook>();
  ControlThread control_;  // last: its thread uses all others
};

}  // namespace gantry::host
