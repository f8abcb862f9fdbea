#include "host/app/workers.hpp"

#include <utility>

#include "host/worker/worker_instance.hpp"

namespace gantry::host {

Result<std::unique_ptr<Workers>> Workers::create(HostServices& services, LogSink log,
                                                 const std::filesystem::path& state, int landlock) {
  auto keeper = WorkerKeeper::create(state / "tmp");
  if (!keeper) return keeper.status();
  return std::unique_ptr<Workers>(
      new Workers(std::move(*keeper), services, std::move(log), state / "trials", landlock > 0));
}

Workers::Workers(std::unique_ptr<WorkerKeeper> keeper, HostServices& services, LogSink log,
                 std::filesystem::path probes, bool walls)
    : keeper_(std::move(keeper)),
      walls_(walls),
      prober_(place({}), services, std::move(log), std::move(probes)) {}

WorkerPlace Workers::place(std::function<void()> changed) {
  return {.keeper = *keeper_,
          .clock = clock_,
          .program = {},
          .changed = std::move(changed),
          .walls = walls_};
}

Result<GenerationPtr> Workers::make(Origin origin, SealedFilePtr library, HostServices& services,
                                    LogSink log, std::function<void()> changed) {
  return GenerationPtr(std::make_shared<WorkerInstance>(
      std::move(origin), std::move(library), services, std::move(log), place(std::move(changed))));
}

Status Workers::probe(const Origin& origin, const SealedFilePtr& library) {
  return prober_.probe(origin, library);
}

}  // namespace gantry::host
