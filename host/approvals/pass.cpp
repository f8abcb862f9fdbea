#include "host/approvals/pass.hpp"

#include <utility>

#include "host/approvals/policy.hpp"

namespace gantry::host {

ApprovalPass::ApprovalPass(const ApprovalAsk& ask, ApprovalVerdict verdict)
    : plugin_(ask.plugin),
      tool_(ask.tool),
      generation_(ask.generation),
      arguments_(ask.plan_token.empty() ? ask.arguments
                                        : with_plan_token(ask.arguments, ask.plan_token)),
      verdict_(std::move(verdict)) {}

bool ApprovalPass::covers(std::string_view plugin, std::uint64_t generation, std::string_view tool,
                          std::string_view arguments) const {
  return plugin == plugin_ && generation == generation_ && tool == tool_ && arguments == arguments_;
}

}  // namespace gantry::host
