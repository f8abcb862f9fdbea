// host/approvals/pass.hpp: the right to run one call that a person approved.
//
// Only Approvals makes one. It holds the very arguments that the call runs with, so that nothing
// else runs. Immutable; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "host/approvals/approval.hpp"

namespace gantry::host {

class ApprovalPass {
 public:
  // JSON object.
  const std::string& arguments() const { return arguments_; }
  const ApprovalVerdict& verdict() const { return verdict_; }
  // True if the call of this tool of this plugin with these arguments is the approved one.
  bool covers(std::string_view plugin, std::uint64_t generation, std::string_view tool,
              std::string_view arguments) const;
  std::uint64_t generation() const { return generation_; }

 private:
  friend class Approvals;
  ApprovalPass(const ApprovalAsk& ask, ApprovalVerdict verdict);

  const std::string plugin_, tool_;
  const std::uint64_t generation_;
  const std::string arguments_;
  const ApprovalVerdict verdict_;
};

using ApprovalPassPtr = std::shared_ptr<const ApprovalPass>;

}  // namespace gantry::host
