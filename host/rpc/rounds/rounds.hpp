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

// What a handler finds when it is entered again; also as it travels through the client.
struct Carried {
  std::string answers;  // JSON object or empty
  std::string state;
  int round = 0;
};

// The answers a client sends with its retry, as a JSON object; what is no object in them counts
// as not answered. -32602 when they are no object.
struct Responses {
  std::string answers;
  std::optional<Error> error;
};
Responses read_responses(const rapidjson::Value* responses);

// Opens what a retry of the modern era brings. Answers and state of another plugin, or of another
// `state_version` of it, are dropped. -32602 for what this server did not give out for this.
struct Retry {
  Carried carried;
  std::optional<Error> error;
};
Retry read_retry(Sealer& sealer, const Message& message, const RoundsOf& of, const Item& item);

// The result that asks: `requests` is the JSON object of them. The state is left out when there is
// nothing to carry. The Status is the plugin's fault: what it carries is too big.
Result<std::string> input_required(const Sealer& sealer, Clock::Duration lifetime,
                                   const RoundsOf& of, const Item& item, const Carried& carried,
                                   std::string_view requests);

// `fresh` over `old`, both JSON objects or empty.
std::string merged(std::string_view old, std::string_view fresh);

}  // namespace gantry::host::rpc
