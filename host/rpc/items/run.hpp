// host/rpc/items/run.hpp (private): one request that enters a plugin: from the message to the
// answer, whatever happens in between: progress, logs, rounds of input in both eras, tasks.
//
//   start -> done(result)          -> finish -> the answer
//         -> done(input_required)  -> modern: sealed and answered; the client comes again
//                                     legacy: the client is asked, and the item entered again
//                                     task: the task waits for tasks/update
//         -> begin_task            -> the task is the answer, the call goes on
//
// A run that waits holds no thread and no place among the running calls. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/calls/calls.hpp"
#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {

// The message a finished item becomes. Pure; called once, on any thread. `id` is JSON text.
using FinishItem = std::function<Answer(ItemAnswer&& answer, std::string_view id,
                                        std::string_view revision, std::string_view modern_meta)>;

struct RunRequest {
  SnapshotPtr snapshot;
  const Item* item = nullptr;                // null: nothing of that name
  std::string_view kind;                     // how it is entered; empty = its own kind
  std::string_view name;                     // as the client wrote it: name or URI
  std::string arguments;                     // JSON text of the object
  const rapidjson::Value* parsed = nullptr;  // the same, parsed; tools only
  FinishItem finish;
};

// Runs it; the answer goes to the channel's sink, or is returned when it is known at once. Reads
// inputResponses and requestState of `message` itself where its method may carry them
// (tools/call, prompts/get, resources/read).
std::optional<Answer> run_item(Core& core, const Message& message, const Context& context,
                               Channel& channel, RunRequest request);

// Enters an item for the host's own needs, as the caller of `context`: lists, completions, checks
// of access. No rounds, no progress, no audit line. `done` is called once, from any thread,
// perhaps before this returns. The handle cancels it; null when it is over.
std::shared_ptr<CallHandle> run_quietly(Core& core, const Context& context, RunRequest request,
                                        std::function<void(ItemAnswer&&)> done);

}  // namespace gantry::host::rpc
