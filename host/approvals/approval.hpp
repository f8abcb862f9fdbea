// host/approvals/approval.hpp: what a person is asked to approve, and how that ended.
//
// Values; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "host/auth/agent.hpp"

namespace gantry::host {

// One call that waits. `arguments` are those that the call runs with; with a `plan_token` the call
// runs with that too, so that it does what `preview` shows or refuses.
struct ApprovalAsk {
  std::string principal;  // that made the call, and that may answer
  AgentPtr agent;
  std::string tool, title, plugin;
  std::uint64_t generation = 0;  // of the plugin
  std::string arguments;         // JSON object
  std::string preview;           // JSON object, or empty: the tool cannot preview
  std::string plan_token;        // may be empty
  std::string correlation_id;    // may be empty
};

enum class Decision {
  waiting,
  accepted,
  declined,
  timed_out,
  rights_changed,   // the agent's rights are others than when it asked
  plugin_replaced,  // the tool is of another generation, or gone
  withdrawn,        // the client cancelled the call, or is gone
  stopped,          // the server stops
};

// "accepted", "timed_out", …
std::string_view decision_word(Decision decision);

struct ApprovalVerdict {
  Decision decision = Decision::waiting;
  std::string by{};    // "client" or the operator's name; empty: no person decided
  std::string note{};  // of the operator; may be empty
  std::chrono::milliseconds waited{0};
};

}  // namespace gantry::host
