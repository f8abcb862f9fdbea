// host/rpc/protocol_settings.hpp: limits and texts of the protocol layer.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "host/approvals/approvals.hpp"
#include "host/config/discovery.hpp"
#include "host/config/limit_settings.hpp"
#include "host/limits/byte_budget.hpp"
#include "host/observe/audit.hpp"
#include "host/observe/tracer.hpp"

namespace gantry::host::rpc {

// Values; set once before serving.
struct ProtocolSettings {
  std::string version{};                       // of the program
  std::string instructions{};                  // for the model; empty: those that a plugin offers
  Discovery discovery = Discovery::automatic;  // when list_tools is listed
  ProtocolLimits limits{};
  std::chrono::milliseconds task_poll{1'000};  // interval in which a client should poll a task
  bool lists_are_public = false;               // every caller is the same agent
  std::shared_ptr<ByteBudget> kept{};          // counts the results of tasks; null: not counted
  std::shared_ptr<Audit> audit{};              // null: records go to the log
  std::shared_ptr<Approvals> approvals{};      // null: of the dispatcher alone
  std::shared_ptr<Tracer> tracer{};            // null: requests have no spans
};

inline ApprovalLimits approval_limits_of(const ProtocolLimits& limits) {
  return {.timeout = limits.approval_timeout,
          .most = limits.max_approvals,
          .most_per_principal = limits.max_approvals_per_agent};
}

// {"name":…,"version":…,"title"?:…} as a peer of `revision` knows it.
std::string server_info(const ProtocolSettings& settings, std::string_view revision);

}  // namespace gantry::host::rpc
