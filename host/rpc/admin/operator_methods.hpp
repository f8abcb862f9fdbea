// host/rpc/admin/operator_methods.hpp: the groups of methods that look into a running host.
//
// What a group is given must outlive its methods. Functions may be called on any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/auth/agents/agents_file.hpp"
#include "host/calls/calls.hpp"
#include "host/observe/audit.hpp"
#include "host/plugin/admin.hpp"
#include "host/registry/registry.hpp"
#include "host/rpc/admin/method.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/sessions.hpp"
#include "sdk/contract/gates.hpp"

namespace gantry::host::rpc {

// The profiles of now; never null.
using AgentsNow = std::function<std::shared_ptr<const AgentsFile>()>;

// The model's part of what a profile may see.
struct ModelLayers {
  std::vector<std::string> hidden;  // classes that it, the system or a view's tables hide
  std::string of_class;             // its rules about one class, JSON; empty: none was asked for
};

// What the groups look into. It has more than twelve members: one for each part of the host.
struct HostParts {
  std::string version;
  std::chrono::system_clock::time_point since{};
  Audit& audit;
  PluginAdmin& plugins;
  const Registry& registry;
  Calls& calls;
  Dispatcher& dispatcher;
  Sessions* sessions = nullptr;  // null: a transport without
  AgentsNow agents;
  std::function<std::string()> endpoint;           // a URL, or "stdio"
  std::function<std::int64_t()> streams;           // event streams that are open; empty: none
  std::function<std::int64_t()> approvals;         // calls that wait for a person
  std::function<bool()> is_configured, has_admin;  // credentials
  std::function<std::size_t()> classes;            // of the database; blocks. Empty: unknown
  // Blocks. The class may be empty. Empty function: unknown.
  std::function<Result<ModelLayers>(const AgentPtr&, const std::string&)> layers = {};
  contract::GateSet open_gates = contract::kNoGates;  // for writes
};

// host.overview, host.series
AdminMethods host_methods(const HostParts& parts);
// tool.list, tool.call, agent.ask
AdminMethods tool_methods(const HostParts& parts);
// call.active, call.cancel
AdminMethods call_methods(Dispatcher& dispatcher);
// agent.list, agent.describe
AdminMethods agent_methods(const HostParts& parts);
// session.list, session.end, stream.list, subscription.list
AdminMethods client_methods(const HostParts& parts);
// key.list, key.add, key.revoke, in the key file
AdminMethods key_methods(std::filesystem::path file, AgentsNow agents);

// A question to the plugin that records writes.
struct WritesRequest {
  std::string arguments;  // of its service gantry.writes/1
  std::string_view by;    // the operator
  bool undoes = false;
};
// The plugin's answer. Blocks.
using AskWrites = std::function<Result<std::string>(const WritesRequest&)>;
// writes.list, writes.show, writes.undo
AdminMethods write_methods(AskWrites ask);

// The error of a profile that is not there; it names those that are.
Status no_profile(const std::string& name, const AgentsFile& file);

}  // namespace gantry::host::rpc
