// core/pass_through.hpp: answers a call with an operation's meta, unchanged.
#pragma once

#include <gantry/data.hpp>

#include <string_view>

namespace schema_tools {

inline void pass_through(const gantry::Data& data, gantry::Call& call, std::string_view op) {
  const gantry::DataReply reply = data.run(call, op, call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.structured(reply.meta);
}

}  // namespace schema_tools
