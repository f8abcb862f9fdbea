// host/rpc/admin/as_agent.hpp (private): a request of the modern era that an operator sends as one
// of the profiles.
//
// Its audit record has auth_type "console". Any thread.
#pragma once

#include <string>

#include "host/rpc/admin/operator_methods.hpp"

namespace gantry::host::rpc {

struct AgentRequest {
  std::string agent;    // a profile's name
  std::string method;   // of MCP
  std::string members;  // of its parameters, without _meta: JSON text up to the closing brace
};

// Sends it. `done` gets its result, or the error of the method or of the profile.
AdminMethod::Cancel ask_as(const HostParts& parts, const AgentRequest& asked,
                           AdminMethod::Done done);

}  // namespace gantry::host::rpc
