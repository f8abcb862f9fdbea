// host/rpc/items/request_answer.hpp (private): the answers that the protocol layer makes itself,
// and the response message of every answer.
//
// Pure functions; any thread.
#pragma once

#include <string>

#include "host/rpc/items/request_parts.hpp"

namespace gantry::host::rpc {

ItemAnswer failed_answer(const ItemRequestParts& parts, std::string code, std::string sentence);
ItemAnswer cancelled_answer(const ItemRequestParts& parts, CancelReason reason);

// The answer as the client gets it: legacy tools have no protocol error for a missing capability,
// so it becomes an error result there.
ItemAnswer visible_answer(const ItemRequestParts& parts, ItemAnswer&& answer);

// The response message.
Answer response_of(const Core& core, const ItemRequestParts& parts, ItemAnswer&& answer);

}  // namespace gantry::host::rpc
