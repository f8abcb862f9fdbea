// host/rpc/items/request_answer.hpp (private): the answers that the protocol layer makes itself,
// and the response message of every answer.
//
// Pure functions; any thread.
#pragma once

#include <string>

#include "host/rpc/items/request_parts.hpp"

namespace gantry::host::rpc {

// The error with this code and sentence.
ItemAnswer failed_answer(const ItemRequestParts& parts, std::string code, std::string sentence);
// The error of a cancelled request.
ItemAnswer cancelled_answer(const ItemRequestParts& parts, CancelReason reason);

// The answer for the client. Legacy tools have no protocol error for a missing capability, so that
// becomes an error result.
ItemAnswer visible_answer(const ItemRequestParts& parts, ItemAnswer&& answer);

// The response message.
Answer response_of(const Core& core, const ItemRequestParts& parts, ItemAnswer&& answer);

}  // namespace gantry::host::rpc
