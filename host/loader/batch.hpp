// host/loader/batch.hpp: the plugins of one change set, from files to a checked start order. Runs
// no code of theirs.
//
// Each rule refuses the newcomers that break it, with a sentence. If a refused newcomer would have
// replaced a generation, that generation stays. Control thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "host/plugin/generation.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

struct SeenFile;

struct Candidate {
  Origin origin;
  SeenFile* seen = nullptr;  // of a newcomer: its file
  GenerationPtr serving;     // the plugin's generation so far, or null
  InstancePtr shown;         // published for `serving`: itself or its placeholder
  bool stays = false;        // `serving` stays; never refused
  GenerationPtr made;        // the newcomer, once it has started
};

struct Batch {
  std::vector<Candidate> candidates;
  std::vector<PluginState> refused;  // plugins and files of which nothing is loaded
  std::vector<PluginState> failed;   // newcomers whose plugin goes on as it was

  // Removes a newcomer, or puts back the generation that it would have replaced.
  void refuse(std::size_t index, std::string reason);
  std::size_t refusals() const { return refused.size() + failed.size(); }
};

// The state of a plugin that is not loaded.
PluginState refused_state(const Origin& origin, std::string reason);

// Rejects a file whose plugin name an earlier file has.
void reject_duplicates(Batch& batch);

// Rejects a newcomer that no longer offers a service which another plugin still needs.
void reject_dropped_services(Batch& batch, const HostServices& services);

// Rejects newcomers with a need that neither the host nor a plugin of the batch offers; also fills
// plugin_needs.
void resolve_needs(Batch& batch, const HostServices& services);

// Rejects newcomers whose items have names that another plugin owns.
void reject_taken_names(Batch& batch);

// Providers before users; plugins that need each other in a circle are refused.
void order_by_needs(Batch& batch);

// Applies all rules but the first until none rejects anything; the batch is in start order then.
void plan(Batch& batch, const HostServices& services);

// A newcomer that started although a service it needs is not there, or that dropped a service which
// a plugin needs that failed to be replaced.
struct PlanConflict {
  std::size_t index;
  std::string reason;
};
std::vector<PlanConflict> find_conflicts(const Batch& batch, const HostServices& services);

}  // namespace gantry::host
