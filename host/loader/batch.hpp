// host/loader/batch.hpp: the plugins of one load, from files to a checked order. Runs no code of
// theirs.
//
// Each step removes those that break its rule, with a sentence. Control thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "host/loader/generation.hpp"
#include "host/loader/log_sink.hpp"
#include "host/loader/plugin_state.hpp"
#include "host/loader/trust/trust.hpp"

namespace gantry::host {

// A directory (every *.so in it; names that begin with a dot are left out) or one file.
struct PluginSource {
  std::filesystem::path path;
  bool builtin = false;
};

struct Candidate {
  Origin origin;
  std::string bytes;  // of the file, as checked
};

struct Batch {
  std::vector<Candidate> candidates;
  std::vector<PluginState> refused;

  // Moves a candidate to the refused ones.
  void refuse(std::size_t index, std::string reason);
  void refuse_file(const std::filesystem::path& file, std::string reason);
};

// The state of a plugin that is not loaded.
PluginState refused_state(const Origin& origin, std::string reason);

// Finds the files, each once whatever ways lead to it, asks whether they may be loaded, and reads
// what they say. Without `trust` every file may.
Batch gather(const std::vector<PluginSource>& sources, const Trust* trust, const LogSink& log);

// Of two files with one plugin name the first stays.
void refuse_doubles(Batch& batch);

// Needs that neither the host nor a plugin of the batch offers; also fills plugin_needs.
void resolve_needs(Batch& batch, const HostServices& services);

// Names of items that another plugin owns.
void refuse_taken_names(Batch& batch);

// Providers before users; plugins that need each other in a circle are refused.
void order_by_needs(Batch& batch);

}  // namespace gantry::host
