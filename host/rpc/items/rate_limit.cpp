#include "host/rpc/items/rate_limit.hpp"

#include <string>

#include "host/rpc/core.hpp"
#include "host/rpc/items/request_answer.hpp"
#include "host/rpc/items/request_record.hpp"

namespace gantry::host::rpc {
namespace {

// Nothing of the request's text is in it. The mark tells a user from a credential.
std::string caller_of(const Agent& agent) {
  return agent.name + (agent.user ? "\nuser\n" + *agent.user : "\ncredential\n" + agent.principal);
}

ItemAnswer too_often(const ItemRequestParts& parts, const RateLimit& limit, int wait) {
  const std::string seconds = std::to_string(limit.seconds), calls = std::to_string(limit.calls);
  ItemAnswer answer =
      failed_answer(parts, "rate_limited",
                    "This agent may make " + calls + " calls in " + seconds +
                        " seconds; try again in " + std::to_string(wait) + " seconds");
  answer.details = "{\"retry_after\":" + std::to_string(wait) + ",\"limit\":" + calls +
                   ",\"window\":" + seconds + "}";
  return answer;
}

}  // namespace

std::optional<Answer> rate_limited(Core& core, const ItemRequestParts& parts) {
  const Agent& agent = *parts.agent;
  if (parts.method != "tools/call" || !agent.rate_limit) return std::nullopt;
  const RateLimit& limit = *agent.rate_limit;
  const auto wait = core.rates.take(caller_of(agent), limit.calls, limit.seconds);
  if (!wait) return std::nullopt;
  core.metrics.rate_limited("agent");
  Answer refused = response_of(core, parts, too_often(parts, limit, *wait));
  record_answer(core, parts, {.code = "rate_limited", .bytes = refused.body.size()});
  return refused;
}

}  // namespace gantry::host::rpc
