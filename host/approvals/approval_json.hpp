// host/approvals/approval_json.hpp (private): approvals as operators see them.
//
// Pure functions; any thread.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "host/approvals/approval.hpp"

namespace gantry::host {

// Borrows `ask`.
struct ApprovalSeen {
  std::string id;
  const ApprovalAsk& ask;
  std::chrono::system_clock::time_point asked;
  std::chrono::milliseconds left{0}, waited{0};
};

// {id, tool, title?, plugin, agent, user?, principal, asked, waited_s, expires_s}, and with
// `content` also {arguments, preview?}, both as visible_json() of question.hpp.
std::string approval_json(const ApprovalSeen& seen, bool content);

// {"approvals":[…]} without content, the oldest first.
std::string approvals_json(std::vector<ApprovalSeen> all);

}  // namespace gantry::host
