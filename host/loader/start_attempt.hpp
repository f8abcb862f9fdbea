// host/loader/start_attempt.hpp: from a checked candidate to a started generation.
//
// Control thread.
#pragma once

#include <functional>

#include <gantry/result.hpp>

#include "host/plugin/generation.hpp"
#include "host/plugin/sealed_file.hpp"

namespace gantry::host {

struct Batch;
struct LoaderOptions;

// A generation and the steps of its life that succeeded. The janitor ends it from there.
struct StartAttempt {
  GenerationPtr instance;  // null: not even made
  Status status;           // why it got no further
  bool created = false, started = false;
};

struct StartOptions {
  const LoaderOptions* options = nullptr;
  bool probes_builtin = false;    // built-in files are probed, too
  std::function<void()> changed;  // given to workers: their health changed. Any thread
  std::function<void()> unused;   // a generation has no holders any more. Any thread
};

// Whether it runs in a worker process. A plugin that is not built in shares the host's memory only
// if the operator says so.
bool runs_in_worker(const Origin& origin, const LoaderOptions& options);

// Rejects newcomers whose configuration does not satisfy their schema, whose grants cannot be
// given, or that ask for a worker process where there is none.
void reject_invalid_config(Batch& batch, const LoaderOptions& options);

// Probes, maps, creates, starts and self-checks. `file` holds the bytes that were inspected and was
// never mapped into this process.
StartAttempt start_generation(Origin origin, SealedFilePtr file, const StartOptions& start);

}  // namespace gantry::host
