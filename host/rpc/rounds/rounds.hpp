// host/rpc/rounds/rounds.hpp: the state that a request carries from one input round to the next.
//
// Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/auth/seal.hpp"
#include "host/calls/calls.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

inline constexpr int kMaxRounds = 8;

// Identifies the request that sealed state is bound to: principal, method, item and arguments.
struct RoundsOf {
  std::string_view principal, method, key, name, arguments;  // arguments: JSON text
};

// The state that a handler gets when it is entered again. A modern client carries it, sealed.
struct Carried {
  std::string answers;  // JSON object or empty
  std::string state;
  int round = 0;
  std::string approval{};  // the id of the approval that the call waits for, or runs with
};

// The answers in a client's retry, as a JSON object. An answer that is not an object counts as not
// given. -32602: `responses` is not an object.
struct Responses {
  std::string answers;
  std::optional<Error> error;
};
Responses read_responses(const rapidjson::Value* responses);

// Reads the answers of a modern retry and opens its sealed state. Answers and state are dropped if
// they come from another plugin, or from another `state_version` of it. -32602: the server did not
// issue this state for this request.
struct Retry {
  Carried carried;
  std::optional<Error> error;
};
Retry read_retry(Sealer& sealer, const Message& message, const RoundsOf& of, const Item& item);

// The result that requests input, a JSON object without its closing brace. `requests`: the JSON
// object of the input requests. The sealed state is left out if `carried` holds no state, no
// answers and no approval. An error is the plugin's fault: these are too large to seal.
Result<std::string> input_required(const Sealer& sealer, Clock::Duration lifetime,
                                   const RoundsOf& of, const Item& item, const Carried& carried,
                                   std::string_view requests);

// The members of both, as a JSON object; a member of `fresh` replaces one of `old`. Both are JSON
// objects or empty.
std::string merged(std::string_view old, std::string_view fresh);

}  // namespace gantry::host::rpc
