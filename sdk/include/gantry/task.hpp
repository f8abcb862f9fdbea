// gantry/task.hpp: continues a call without a connected client; see abi/task.h.
//
//   const auto task = gantry::Task::of(host());
//   if (task) (void)task->begin(call);          // a task if the client supports tasks
//
// The manifest's "needs" must name gantry.task/1. Threads: those on which the call may be written.
#pragma once

#include <optional>

#include <gantry/abi/task.h>
#include <gantry/call.hpp>

namespace gantry {

class Task {
 public:
  // Empty if the host has no such service or the manifest's "needs" does not name it.
  static std::optional<Task> of(const Host& host) {
    const auto* table = host.service<gantry_task_api>(GANTRY_TASK_SERVICE);
    return table == nullptr ? std::nullopt : std::optional(Task(*table));
  }

  // Makes this tool call a task; call it before the long work. If it fails, the call is still an
  // ordinary one: continue, or return the Status. For GANTRY_UNSUPPORTED (the client does not
  // support tasks, or the call is nested or not a tool's) the host then tells the client which
  // capability is missing.
  Status begin(const CallView& call) const {
    const gantry_status status = table_->begin(call.handle());
    if (status >= 0) return {};
    if (status == GANTRY_UNSUPPORTED) return Status(status, {});
    if (status == GANTRY_BUSY) {
      return Status(status, "there are too many tasks already; try again when some have ended");
    }
    return Status(status, status == GANTRY_CANCELLED ? "the call was cancelled"
                                                     : "the call cannot become a task");
  }

  // Releases the connection on which the client waits; the client reconnects for the answer. False
  // if this client could not: then nothing happens.
  bool release(const CallView& call) const { return table_->release(call.handle()) >= 0; }

 private:
  explicit Task(const gantry_task_api& table) : table_(&table) {}
  const gantry_task_api* table_;
};

}  // namespace gantry
