// A run that goes on as a task: its request is answered, everything later goes to the task.
#include "host/rpc/items/run_state.hpp"

namespace gantry::host::rpc {
namespace {

// The text of the last member, `name`, of a message that one of ours wrote; empty when it is
// another.
std::string_view last_member(std::string_view message, std::string_view id, std::string_view name) {
  const std::string begin =
      "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"" + std::string(name) + "\":";
  if (!message.starts_with(begin) || !message.ends_with('}')) return {};
  message.remove_prefix(begin.size());
  message.remove_suffix(1);
  return message;
}

}  // namespace

std::string Run::task() const {
  std::lock_guard lock(mutex_);
  return task_;
}

gantry_status Run::begin_task() {
  if (!parts_.can.tasks || parts_.method != "tools/call") return GANTRY_UNSUPPORTED;
  std::string created;
  {
    std::lock_guard lock(mutex_);
    if (!task_.empty()) return GANTRY_OK;
    if (stopped_) return GANTRY_CANCELLED;
    const auto self = shared_from_this();
    auto begun = core_.tasks.begin(
        parts_.principal,
        {[self] { self->cancel(CancelReason::notifications_cancelled); },
         [self](std::string answers) { self->on_task_answers(std::move(answers)); }});
    if (!begun) return GANTRY_BUSY;
    task_ = std::move(begun->id);
    created = std::move(begun->members);
  }
  send({"{\"jsonrpc\":\"2.0\",\"id\":" + parts_.id + ",\"result\":{\"resultType\":\"task\"," +
            created + core_.modern_meta + "}}",
        200});
  return GANTRY_OK;
}

void Run::ask_for_task(std::string_view requests) {
  snapshot_ = nullptr;  // whoever waits holds no plugin
  item_ = nullptr;
  std::optional<CancelReason> stopped;
  const auto deadline = std::chrono::steady_clock::now() + core_.facts.task_ttl;
  {
    std::lock_guard lock(mutex_);
    stopped = stopped_;
    task_waits_ = !stopped;
    if (task_waits_) {
      task_timer_ = core_.timer.set(deadline, [weak = weak_from_this(), entry = entries_] {
        if (const auto run = weak.lock()) run->on_task_silence(entry);
      });
    }
  }
  if (stopped) return end(cancelled(*stopped));
  if (core_.tasks.ask(task(), requests)) return;
  on_task_answers("");  // it only wants to be entered again
}

void Run::on_task_answers(std::string answers) {
  {
    std::lock_guard lock(mutex_);
    if (!std::exchange(task_waits_, false)) return;
    core_.timer.drop(task_timer_);
  }
  carried_.answers = merged(carried_.answers, answers);
  enter_again();
}

// Nobody answers for as long as an ended task would be kept.
void Run::on_task_silence(std::uint64_t entry) {
  {
    std::lock_guard lock(mutex_);
    if (!task_waits_ || entries_ != entry) return;
  }
  cancel(CancelReason::notifications_cancelled);
}

void Run::end_task(bool was_cancelled, std::string_view body) {
  if (was_cancelled) return core_.tasks.end(task(), Tasks::End::cancelled, "");
  const std::string_view result = last_member(body, parts_.id, "result");
  if (!result.empty()) {
    return core_.tasks.end(task(), Tasks::End::completed, std::string(result));
  }
  const std::string_view error = last_member(body, parts_.id, "error");
  core_.tasks.end(
      task(), Tasks::End::failed,
      error.empty() ? "{\"code\":-32603,\"message\":\"Internal error\"}" : std::string(error));
}

}  // namespace gantry::host::rpc
