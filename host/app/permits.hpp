// host/app/permits.hpp: whether a profile may call tools for classes, for operators.
//
// It also tells what of the model applies to a profile. The gates of a real call answer: admission
// for the tool, and gantry.access/1, asked as the profile, for the class. No tool runs and no row
// is read. The true causes are for operators alone. Blocks. Any thread but those of calls.
#pragma once

#include <string>

#include <gantry/result.hpp>

#include "host/app/access.hpp"
#include "host/calls/calls.hpp"
#include "host/registry/registry.hpp"
#include "host/rpc/admin/commands.hpp"
#include "host/rpc/admin/operator_methods.hpp"

namespace gantry::host {

class Permits {
 public:
  // All must outlive this.
  Permits(const Registry& registry, Calls& calls, const AgentAccess& access)
      : registry_(registry), calls_(calls), access_(access) {}

  // The result of agent.permit. GANTRY_NOT_FOUND: there is no such profile or tool.
  Result<std::string> verdicts(const rpc::PermitQuestion& question) const;
  // What the model hides from the profile, and with a class every rule of the model about it.
  // Where no plugin offers classes: nothing.
  Result<rpc::ModelLayers> layers(const AgentPtr& agent, const std::string& class_name) const;
  // How many classes a caller without rules sees; 0 where that cannot be told.
  std::size_t classes() const;

 private:
  struct Verdict {
    std::string error_code, cause, reason;  // no code: permitted
  };
  Verdict tool_verdict(const Agent& agent, const Item& item) const;
  Result<Verdict> class_verdict(const SnapshotPtr& snapshot, const AgentPtr& agent,
                                const std::string& tool, const std::string& class_name) const;
  Result<std::vector<std::string>> all_classes(const SnapshotPtr& snapshot) const;
  Status append_tool(const SnapshotPtr& snapshot, const AgentPtr& agent, const Item& item,
                     const std::vector<std::string>& classes, std::string& out) const;

  const Registry& registry_;
  Calls& calls_;
  const AgentAccess& access_;
};

}  // namespace gantry::host
