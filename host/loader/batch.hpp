// host/loader/batch.hpp: the plugins that shall be there after a change, from files to a checked
// order. Runs no code of theirs.
//
// Each step turns down those newcomers that break its rule, with a sentence. One that would have
// replaced a plugin leaves that one as it is. Control thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "host/loader/seen_files.hpp"
#include "host/plugin/generation.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

struct Candidate {
  Origin origin;
  SeenFile* seen = nullptr;  // of a newcomer: where its bytes are
  GenerationPtr serving;     // of this plugin until now, or null
  InstancePtr shown;         // what is published for `serving`: itself or its stand-in
  bool stays = false;        // `serving` goes on; it is never turned down
  GenerationPtr made;        // the newcomer, once it is up
};

struct Batch {
  std::vector<Candidate> candidates;
  std::vector<PluginState> refused;  // plugins and files of which nothing is loaded
  std::vector<PluginState> failed;   // newcomers whose plugin goes on as it was

  // Turns a newcomer down: it is gone, or its place is what served until now.
  void refuse(std::size_t index, std::string reason);
  void refuse_file(const std::filesystem::path& file, std::string reason);
  std::size_t turned_down() const { return refused.size() + failed.size(); }
};

// The state of a plugin that is not loaded.
PluginState refused_state(const Origin& origin, std::string reason);

// Of two files with one plugin name the first stays.
void refuse_doubles(Batch& batch);

// A newcomer that no longer offers a service which another plugin goes on to need.
void refuse_droppers(Batch& batch, const HostServices& services);

// Needs that neither the host nor a plugin of the batch offers; also fills plugin_needs.
void resolve_needs(Batch& batch, const HostServices& services);

// Names of items that another plugin owns.
void refuse_taken_names(Batch& batch);

// Providers before users; plugins that need each other in a circle are refused.
void order_by_needs(Batch& batch);

// All rules but the first, until they hold together; providers come before users then.
void plan(Batch& batch, const HostServices& services);

// After the newcomers were brought up, or not: one that is up although a service it needs is not
// there, or that dropped one which is needed again. Its index, with the reason; nothing: all fit.
struct Misfit {
  std::size_t index;
  std::string reason;
};
std::vector<Misfit> find_misfits(const Batch& batch, const HostServices& services);

}  // namespace gantry::host
