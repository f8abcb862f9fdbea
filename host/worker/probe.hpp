// host/worker/probe.hpp: a trial of a plugin in a process of its own, before its code is let
// into this one.
//
// The trial maps the file, has a second thread allocate the plugin's thread-local memory, creates,
// starts, stops and destroys the plugin with its real configuration and secrets, and unloads the
// library if its manifest says that it can be. The trial is the only check of a damaged file beyond
// its headers, manifest and symbols. Its offer is taken and forgotten, its events are refused, and
// what it logs is debug. The process is a cell as that of any worker, with the plugin's grants and
// without a limit on memory. A create() or start() that says no has passed, and is tried again next
// time: what it misses in the cell it may find outside. Of an exclusive plugin, of which there must
// never be two, only the file is mapped.
#pragma once

#include <memory>

#include "host/plugin/generation.hpp"
#include "host/worker/probe_cache.hpp"
#include "host/worker/worker_instance.hpp"

namespace gantry::host {

class Prober {
 public:
  // `services` and what `place` names outlive it. `cache` is a file of the state directory.
  Prober(WorkerPlace place, HostServices& services, LogSink log, std::filesystem::path cache);

  // Blocks, for milliseconds or until a step has hung for 10 s; control thread. `library` is the
  // file that will be mapped. The error is a sentence about the plugin, and it is the plugin's
  // fault: it crashed, hung, ended the process or cannot be linked. What has passed once with the
  // same bytes and the same settings passes at once.
  Status probe(const Origin& origin, const SealedFilePtr& library);

 private:
  // `whole`: no step said no.
  Status try_out(const Origin& origin, const SealedFilePtr& library, bool& whole);

  WorkerPlace place_;
  HostServices& services_;
  LogSink log_;
  ProbeCache cache_;
};

}  // namespace gantry::host
