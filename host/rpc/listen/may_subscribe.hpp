// host/rpc/listen/may_subscribe.hpp (private): whether a caller may hear of a resource: exactly
// those who may read it, found out by reading it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {

struct MaySubscribe {
  bool yes = false;
  Answer refusal{};  // the message that says why not: what resources/read would answer, mostly
};

// `id` is the request's, JSON text. `done` is called once, from any thread, perhaps before this
// returns. Of `context` only the agent and the revision count.
void may_subscribe(Core& core, const Context& context, std::string_view id, std::string_view uri,
                   std::function<void(MaySubscribe)> done);

}  // namespace gantry::host::rpc
