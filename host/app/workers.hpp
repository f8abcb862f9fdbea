// host/app/workers.hpp: makes worker processes and trials for the loader.
//
// Control thread of the loader; must outlive every generation it has made.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "host/base/clock.hpp"
#include "host/plugin/generation.hpp"
#include "host/worker/probe.hpp"
#include "host/worker/process.hpp"

namespace gantry::host {

class Workers {
 public:
  // The file `trials` of `state` lists the files that passed a trial; the temporary directories of
  // workers are made in its `tmp`. `services` outlives this. `landlock`: the kernel's version; 0:
  // workers have no walls.
  static Result<std::unique_ptr<Workers>> create(HostServices& services, LogSink log,
                                                 const std::filesystem::path& state, int landlock);

  // LoaderOptions::make_worker.
  Result<GenerationPtr> make(Origin origin, SealedFilePtr library, HostServices& services,
                             LogSink log, std::function<void()> changed);
  // LoaderOptions::probe.
  Status probe(const Origin& origin, const SealedFilePtr& library);

 private:
  Workers(std::unique_ptr<WorkerKeeper> keeper, HostServices& services, LogSink log,
          std::filesystem::path probes, bool walls);
  WorkerPlace place(std::function<void()> changed);

  SystemClock clock_;
  std::unique_ptr<WorkerKeeper> keeper_;
  const bool walls_;
  Prober prober_;
};

}  // namespace gantry::host
