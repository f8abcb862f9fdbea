// gantry/task.hpp: continues a call without a connected client; see abi/task.h.
//
//   const auto task = gantry::Task::of(host());
//   if (task) (void)task->begin(call);          // a task if the client supports tasks
//
// For work that takes minutes. A task (MCP extension io.modelcontextprotocol/tasks) outlives the
// request that started it: the client gets the task's name at once and asks for status and result
// later. For the handler nothing changes: it answers, fails, asks (input.hpp) and is cancelled as
// before. Progress becomes the task's status message; log messages to the client are dropped. The
// call's deadline still applies: give the item a timeout that allows the work.
//
//   for (const Part& part : parts) {
//     if (!call.progress(part.number, parts.size(), part.name)) break;   // cancelled: stop
//     work_on(part);
//   }
//
// The manifest's "needs" must name gantry.task/1. Threads: those on which the call may be written.
#pragma once

#include <gantry/abi/task.h>
#include <gantry/available.hpp>
#include <gantry/call.hpp>

namespace gantry {

// The service gantry.task/1: one pointer, cheap to copy, valid as long as the Host.
class Task {
 public:
  static constexpr const char* kId = GANTRY_TASK_SERVICE;
  // None if the host has no such service or the manifest's "needs" or "wants" does not name it:
  // using it then throws MissingService.
  static Available<Task> of(const Host& host) {
    const auto* table = host.service<gantry_task_api>(kId);
    return table == nullptr ? Available<Task>() : Task(*table);
  }

  // Makes this tool call a task; call it before the long work. OK also if it is one already, in a
  // later round. If it fails, the call is still an ordinary one: continue, or return the Status.
  // For GANTRY_UNSUPPORTED (the client does not support tasks, or the call is nested or not a
  // tool's) the host then tells the client which capability is missing. GANTRY_BUSY: the limit of
  // running tasks is reached.
  // After it the client may cancel the task at any time, which the handler sees as cancellation of
  // the call.
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

  // Releases the connection on which the client waits; the client reconnects for the answer, and
  // the host keeps the call's messages until then. For long calls without any message. False if
  // this client could not reconnect (only sessions of MCP 2025-11-25 over HTTP can): then nothing
  // happens.
  // Errors: none that a handler must act on.
  bool release(const CallView& call) const { return table_->release(call.handle()) >= 0; }

 private:
  explicit Task(const gantry_task_api& table) : table_(&table) {}
  const gantry_task_api* table_;
};

}  // namespace gantry
