// host/rpc/listen/listen_filter.hpp (private): parses the filter of subscriptions/listen and writes
// its acknowledgement.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/rpc/listen/listeners.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

struct ListenFilter {
  bool tools = false, prompts = false, resources = false;
  std::vector<std::string> uris, tasks;  // each once, in the order of the request
  bool names_tasks = false;              // it has the member taskIds, perhaps an empty one

  // `now`: the subscriptions begin.
  SubscriptionFilter wanted(Clock::Instant now) const;
};

// Reads params.notifications into `filter`; returns an error or nothing. `most_uris`: the limit of
// resources.
std::optional<Error> read_filter(const Message& message, std::size_t most_uris,
                                 ListenFilter& filter);

// The acknowledgement with the accepted part of the filter; `id` is JSON text.
std::string acknowledgement(const ListenFilter& honoured, std::string_view id);
// The answer at the end, as a whole message.
std::string listened(std::string_view id);

}  // namespace gantry::host::rpc
