#include "host/worker/spare.hpp"

#include <poll.h>

#include <string>
#include <utility>

namespace gantry::host {
namespace {

// Room for the name of a plugin, which the worker writes over it.
constexpr std::size_t kNameRoom = 64;

bool is_alive(const Spawned& process) {
  pollfd end{process.pidfd, POLLIN, 0};
  return ::poll(&end, 1, 0) == 0;
}

}  // namespace

void SpareWorker::drop() noexcept {
  if (!ready_) return;
  discard(ready_->process);
  ready_.reset();
}

Result<BlankWorker> SpareWorker::take(const std::filesystem::path& program) {
  // The system may have cleaned its temporary files up meanwhile.
  const bool fit =
      ready_ && program == program_ && is_alive(ready_->process) && ready_->temporary->is_there();
  if (!fit) drop();
  program_ = program;
  wanted_ = true;
  if (fit) return *std::exchange(ready_, std::nullopt);
  return start(program);
}

void SpareWorker::prepare() {
  if (!std::exchange(wanted_, false) || ready_) return;
  if (auto started = start(program_)) ready_ = std::move(started).value();
}

Result<BlankWorker> SpareWorker::start(const std::filesystem::path& program) {
  auto temporary = root_.make();
  if (!temporary) return temporary.status();
  const Result<Spawned> process =
      spawn_worker(program, {"gantry-worker", std::string(kNameRoom, ' ')}, (*temporary)->path());
  if (!process) return process.status();
  return BlankWorker{*process, std::move(temporary).value()};
}

}  // namespace gantry::host
