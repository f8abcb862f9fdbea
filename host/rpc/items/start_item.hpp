// host/rpc/items/start_item.hpp (private): starts a request that enters a plugin. ItemRequest
// (item_request.hpp) then owns it until its answer: progress, logs, input rounds of both eras,
// tasks.
//
//   start -> done(result)          -> the answer
//         -> done(input_required)  -> modern: a sealed state is the answer; the client retries
//                                     legacy: the client gets requests; the item is entered again
//                                     task: the task waits for tasks/update
//         -> begin_task            -> the task is the answer; the call continues
//
// A request that waits for its client holds no thread and no place among the running calls. Any
// thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

struct Core;

// Makes the response message of a finished item. Pure; called once, on any thread. `id` is JSON
// text.
using MakeAnswer = std::function<Answer(ItemAnswer&& answer, std::string_view id,
                                        std::string_view revision, std::string_view modern_meta)>;

struct ItemEntry {
  SnapshotPtr snapshot;
  const Item* item = nullptr;                // null: no such item
  std::string_view kind;                     // as ItemCall::kind; empty = the item's own
  std::string_view name;                     // as the client wrote it: name or URI
  std::string arguments;                     // JSON text of the object
  const rapidjson::Value* parsed = nullptr;  // the same, parsed; tools only
  std::chrono::milliseconds most_time{0};    // as in ItemCall
  bool wants_task = false;                   // params.task of 2025-11-25
  MakeAnswer finish;
};

// Enters the item. The answer goes to the channel's sink, or is returned if it is known at once.
// Reads inputResponses and requestState of `message` for the methods that may carry them
// (tools/call, prompts/get, resources/read).
std::optional<Answer> start_item_request(Core& core, const Message& message, const Context& context,
                                         Channel& channel, ItemEntry request);

// Enters an item for the host's own needs, as the caller of `context`: lists, completions, checks
// of access, services. No rounds, no progress, no audit line. `done` is called once, from any
// thread, perhaps before this returns. The handle cancels it; null when it is over.
std::shared_ptr<CallHandle> enter_item(Core& core, const Context& context, ItemEntry request,
                                       std::function<void(ItemAnswer&&)> done);

// Templates whose plugins list resources for this caller, in listing order. They live as long as
// the snapshot.
std::vector<const Item*> listing_templates(const Core& core, const Snapshot& snapshot,
                                           const Agent& agent);
// Asks for the resources of one of them, as enter_item().
std::shared_ptr<CallHandle> enter_listing(Core& core, const Context& context,
                                          const SnapshotPtr& snapshot, const Item& listing,
                                          std::function<void(ItemAnswer&&)> done);

}  // namespace gantry::host::rpc
