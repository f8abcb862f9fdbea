// host/rpc/listen/may_subscribe.hpp (private): checks whether a caller may subscribe to a resource,
// by reading it: callers that may read it may subscribe.
//
// Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "host/calls/calls.hpp"
#include "host/rpc/message/context.hpp"

namespace gantry::host::rpc {

struct Core;

struct MaySubscribe {
  bool yes = false;
  Answer refusal{};  // the error message, mostly that of resources/read
};

// `id` is the request's, JSON text. `done` is called once, from any thread, perhaps before this
// returns. Only the caller (agent, party) and the revision of `context` count.
void may_subscribe(Core& core, const Context& context, std::string_view id, std::string_view uri,
                   std::function<void(MaySubscribe)> done);

// Reads the resource as the caller of `context`, for the host's own needs. `done` as above.
void read_as(Core& core, const Context& context, std::string_view uri,
             std::function<void(ItemAnswer&&)> done);

}  // namespace gantry::host::rpc
