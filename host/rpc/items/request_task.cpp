#include "host/rpc/items/request_task.hpp"

#include <chrono>
#include <utility>

#include "host/rpc/core.hpp"
#include "host/rpc/message/envelope.hpp"

namespace gantry::host::rpc {
namespace {

// The JSON text of the last member of a response of this server; empty if it is not `name`.
std::string_view last_member(std::string_view message, std::string_view id, std::string_view name) {
  const std::string begin = response_head(id, name);
  if (!message.starts_with(begin) || !message.ends_with('}')) return {};
  message.remove_prefix(begin.size());
  message.remove_suffix(1);
  return message;
}

}  // namespace

std::string RequestTask::id() const {
  std::lock_guard lock(mutex_);
  return id_;
}

gantry_status RequestTask::begin(Tasks::Control control, std::string& members) {
  std::lock_guard lock(mutex_);
  if (!id_.empty()) return GANTRY_OK;
  if (stopped_) return GANTRY_CANCELLED;
  auto begun =
      core_.tasks.begin(parts_.principal, std::move(control),
                        parts_.wants_task ? Tasks::Form::requested : Tasks::Form::extension);
  if (!begun) return GANTRY_BUSY;
  id_ = std::move(begun->id);
  members = std::move(begun->members);
  return GANTRY_OK;
}

void RequestTask::note(std::string_view text) { core_.tasks.note(id(), text); }

RequestTask::Asked RequestTask::ask(std::string_view requests,
                                    std::function<void(std::uint64_t)> timed_out) {
  // The client has task_ttl to answer, the time for which an ended task is kept.
  const auto deadline = std::chrono::steady_clock::now() + core_.settings.limits.task_ttl;
  {
    std::lock_guard lock(mutex_);
    if (stopped_) return Asked::stopped;
    waiting_ = true;
    timer_ = core_.timer.set(
        deadline, [timed_out = std::move(timed_out), serial = ++serials_] { timed_out(serial); });
  }
  return core_.tasks.ask(id(), requests) ? Asked::waiting : Asked::nothing;
}

bool RequestTask::end_wait() {
  std::lock_guard lock(mutex_);
  if (!std::exchange(waiting_, false)) return false;
  core_.timer.drop(timer_);
  return true;
}

bool RequestTask::waits(std::uint64_t serial) const {
  std::lock_guard lock(mutex_);
  return waiting_ && serials_ == serial;
}

bool RequestTask::stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
  if (!std::exchange(waiting_, false)) return false;
  core_.timer.drop(timer_);
  return true;
}

void RequestTask::finish(Tasks::End how, std::string_view response) {
  const std::string task = id();
  if (how == Tasks::End::cancelled) return core_.tasks.end(task, how, "");
  const std::string_view result = last_member(response, parts_.id, "result");
  if (!result.empty()) return core_.tasks.end(task, how, std::string(result));
  const std::string_view error = last_member(response, parts_.id, "error");
  core_.tasks.end(
      task, Tasks::End::failed,
      error.empty() ? "{\"code\":-32603,\"message\":\"Internal error\"}" : std::string(error));
}

}  // namespace gantry::host::rpc
