// host/worker/spare.hpp: one worker process that is started ahead and waits for its plugin.
//
// To start a program takes longer than all else of a plugin's trial, most of it in the kernel and
// the dynamic linker. The spare process has done so when a plugin comes. It has run code of Gantry
// only, and serves one plugin. The keeper starts it when a worker has ended.
//
// Internal to the folder. The keeper's thread; the process dies with it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include <gantry/result.hpp>

#include "host/worker/spawn.hpp"
#include "host/worker/temporary.hpp"

namespace gantry::host {

// A process without a plugin, and its directory.
struct BlankWorker {
  Spawned process;
  std::unique_ptr<TemporaryDirectory> temporary;
};

class SpareWorker {
 public:
  explicit SpareWorker(TemporaryRoot& root) : root_(root) {}
  ~SpareWorker() { drop(); }
  SpareWorker(const SpareWorker&) = delete;
  SpareWorker& operator=(const SpareWorker&) = delete;

  // The spare process if it runs `program` and is fit, else another one, started now.
  Result<BlankWorker> take(const std::filesystem::path& program);
  // Starts one of the program that was taken last. Nothing before the first take(), nor when one
  // was lost since. An error shows at the next take().
  void prepare();
  // Becomes readable when the process has ended; -1: there is none.
  int pidfd() const { return ready_ ? ready_->process.pidfd : -1; }
  // It has ended: reaps it.
  void drop() noexcept;

 private:
  Result<BlankWorker> start(const std::filesystem::path& program);

  TemporaryRoot& root_;
  std::filesystem::path program_;
  bool wanted_ = false;
  std::optional<BlankWorker> ready_;
};

}  // namespace gantry::host
