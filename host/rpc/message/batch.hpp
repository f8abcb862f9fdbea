// host/rpc/message/batch.hpp: JSON-RPC batches, which only revision 2025-03-26 has.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host/rpc/dispatcher.hpp"

namespace gantry::host::rpc {

inline constexpr std::size_t kMaxBatch = 100;

// Checks the batch as a whole: an error if it has too many elements or one of the modern era.
std::optional<Error> check_batch(const Message& batch);

// Dispatches every element under `context`, whose session is `session`. `done` gets the answers as
// one JSON array, once and from any thread; an empty text if no element has an answer.
// Notifications of running elements are not sent, because the answer is one array.
void dispatch_batch(Dispatcher& dispatcher, const Message& batch, const Context& context,
                    std::shared_ptr<Session> session, std::function<void(std::string)> done);

}  // namespace gantry::host::rpc
