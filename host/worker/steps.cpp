#include "host/worker/steps.hpp"

#include <future>
#include <utility>

namespace gantry::host::worker {
namespace {

const char* name_of(FrameType type) {
  switch (type) {
    case FrameType::create:
      return "create()";
    case FrameType::start:
      return "start()";
    case FrameType::stop:
      return "stop()";
    default:
      return "destroy()";
  }
}

}  // namespace

void Steps::begin(FrameType type, std::string_view fields, Time deadline, Done done) {
  const std::uint64_t life = link_.life();
  std::uint64_t request = 0;
  {
    std::lock_guard lock(mutex_);
    request = ++requests_;
    step_ = Step{request, name_of(type), deadline, std::move(done)};
  }
  FrameWriter frame(type, 0, request);
  if (!frame.raw(fields).fits()) {
    return end(request, {GANTRY_TOO_BIG, "its configuration is too large"});
  }
  link_.send(life, frame.bytes());
  link_.wake();  // to look at the deadline
  // There was no process, or it has gone since, perhaps before the step was there to be lost.
  if (!link_.is_alive(life)) end(request, {});
}

Steps::End Steps::run(FrameType type, std::string_view fields, Time deadline) {
  std::promise<End> promise;
  auto future = promise.get_future();
  begin(type, fields, deadline, [&promise](const End& end) { promise.set_value(end); });
  return future.get();
}

void Steps::end(std::uint64_t request, const End& end) {
  Done done;
  {
    std::lock_guard lock(mutex_);
    if (!step_ || step_->request != request) return;
    done = std::move(step_->done);
    step_.reset();
  }
  done(end);
}

void Steps::lose(const std::string& cause) {
  std::uint64_t request = 0;
  std::string reason;
  {
    std::lock_guard lock(mutex_);
    if (!step_) return;
    request = step_->request;
    reason = std::string(step_->name) + " did not return: " + cause;
  }
  end(request, {GANTRY_FAILED, reason});
}

Steps::Time Steps::deadline() const {
  std::lock_guard lock(mutex_);
  return step_ ? step_->deadline : Time::max();
}

std::optional<std::string> Steps::overdue(Time now) const {
  std::lock_guard lock(mutex_);
  if (!step_ || step_->deadline > now) return std::nullopt;
  return "hung: " + std::string(step_->name) + " did not finish in time";
}

}  // namespace gantry::host::worker
