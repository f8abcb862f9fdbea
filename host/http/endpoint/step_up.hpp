// host/http/endpoint/step_up.hpp: calls that a scope would permit which their token lacks.
//
// The client can get such a token and send the request again (403, insufficient_scope). Any thread.
#pragma once

#include "host/http/endpoint/gate_chain.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/rpc/dispatcher.hpp"

namespace gantry::host::http {

// True: `message`, or one of the batch that it is, is such a call of the principal of `in`, and the
// request has been answered. Nothing of a batch is run then.
inline bool needs_step_up(const GateChain& gates, const rpc::Dispatcher& dispatcher,
                          RoutedRequest& in, const rpc::Message& message) {
  const auto& token = in.principal->token;
  if (!token) return false;
  const auto wanted = dispatcher.lacking_tier(message, *in.principal->agent);
  return wanted && gates.challenged(in, *token, *wanted, message.id());
}

}  // namespace gantry::host::http
