// host/loader/bring_up.hpp: from a checked candidate to a started instance.
//
// Control thread.
#pragma once

#include <functional>
#include <string>

#include <gantry/result.hpp>

#include "host/loader/batch.hpp"
#include "host/loader/loader_options.hpp"
#include "host/plugin/generation.hpp"
#include "host/plugin/sealed_file.hpp"

namespace gantry::host {

// How far a generation got. Whoever takes it ends it from there (Janitor).
struct Raised {
  GenerationPtr instance;  // null: not even made
  Status status;           // why it got no further
  bool created = false, started = false;
};

struct BringUp {
  const LoaderOptions* options = nullptr;
  bool probes_builtin = false;    // also built-in files are tried out first
  std::function<void()> changed;  // given to workers
};

// Whether it shall run in a process of its own. A stranger does not choose for itself to share the
// host's memory; the operator does.
bool runs_in_worker(const Origin& origin, const LoaderOptions& options);

// Newcomers whose configuration does not satisfy their schema, or that ask for a worker process
// where there is none.
void refuse_unfit(Batch& batch, const LoaderOptions& options);

// `file` was never mapped into this process: its bytes are those that were checked.
Raised bring_up(Origin origin, SealedFilePtr file, const BringUp& with);

}  // namespace gantry::host
