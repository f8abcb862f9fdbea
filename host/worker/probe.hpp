// host/worker/probe.hpp: a trial of a plugin in a process of its own, before its code is let
// into this one.
//
// The trial maps the file, allocates a thread's copy of its thread-local memory, creates, starts,
// stops and destroys the plugin with its real configuration and secrets, and unloads the library if
// its manifest says that it can be. The trial is the only check of a damaged file beyond its
// headers, segments, manifest and symbols. The plugin's offer is accepted and dropped, its events
// are refused, its log lines have the level debug. The process has the walls and grants of the
// plugin's workers and no limit on memory. A create() or start() that fails counts as passed and is
// tried again next time: it may need a file that only the host reaches. An exclusive plugin must
// never be there twice, so that its file is only mapped.
#pragma once

#include <memory>
#include <string>

#include "host/base/hash_file.hpp"
#include "host/plugin/generation.hpp"
#include "host/worker/worker_instance.hpp"

namespace gantry::host {

// SHA-256, as hex, of the trial of a plugin: of the file's bytes, the operator's settings for the
// plugin, and this host's version.
std::string trial_key_of(const Origin& origin);

class Prober {
 public:
  static constexpr std::size_t kMostPassed = 512;

  // `services` and what `place` names outlive it. `passed` is a file of the state directory.
  Prober(WorkerPlace place, HostServices& services, LogSink log, std::filesystem::path passed);

  // Blocks, for milliseconds or until a step has hung for 10 s; control thread. `library` is the
  // file that will be mapped. The error is a sentence about the plugin, and it is the plugin's
  // fault: it crashed, hung, ended the process or cannot be linked. A plugin that has passed once
  // with the same bytes and the same settings passes at once.
  Status probe(const Origin& origin, const SealedFilePtr& library);

 private:
  // `whole`: no step said no.
  Status try_out(const Origin& origin, const SealedFilePtr& library, bool& whole);

  WorkerPlace place_;
  HostServices& services_;
  LogSink log_;
  HashFile passed_;
};

}  // namespace gantry::host
