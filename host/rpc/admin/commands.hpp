// host/rpc/admin/commands.hpp: finds, checks, runs and logs the commands of operators. README.md
// has the table of methods.
//
// The transport has checked that the client is an operator. Every command is logged with its client
// and its outcome; one that only reads, and was not refused, at level debug.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/fwd.h>

#include "host/approvals/approvals.hpp"
#include "host/observe/audit.hpp"
#include "host/observe/log.hpp"
#include "host/plugin/admin.hpp"
#include "host/rpc/admin/method.hpp"

namespace gantry::host::rpc {

// What agent.permit asks.
struct PermitQuestion {
  std::string agent, tool;           // the profile; no tool: all
  std::vector<std::string> classes;  // none: calls that name no class
  bool every = false;                // in place of `classes`: all that an agent without rules sees
};

struct AdminFacts {
  std::string version;
  std::string endpoint;            // a URL, or "stdio"; empty where the client knows it
  const Audit* audit = nullptr;    // outlives the commands; null: audit.find finds nothing
  Approvals* approvals = nullptr;  // likewise; null: nothing waits for approval
  // The verdicts as JSON. Blocks. Empty: the method answers that it is not there.
  std::function<Result<std::string>(const PermitQuestion&)> permit = {};
  AdminMethods more = {};  // the methods of further groups
};

class AdminCommands {
 public:
  // `plugins` and `log` must outlive this, and so must what the methods use.
  AdminCommands(PluginAdmin& plugins, Log& log, AdminFacts facts);

  // `params` may be null. Commands that change something block until it has taken effect, and those
  // that answer later until they have. Any thread but the loader's control thread.
  AdminAnswer run(std::string_view method, const rapidjson::Value* params,
                  const AdminCaller& caller) const;
  // The same without waiting for a command that answers later: `done` is called once, on any
  // thread, perhaps before this returns. Returns what cancels it, or an empty function.
  AdminMethod::Cancel start(std::string_view method, const rapidjson::Value* params,
                            const AdminCaller& caller, AdminMethod::Done done) const;

  // Whether run() may block; `quick` for a name that is no method. Any thread.
  AdminMethod::Pace pace(std::string_view method) const;

 private:
  struct Ready {
    const AdminMethod* method = nullptr;  // null: refused
    AdminParams params{};
    AdminAnswer refusal{};
  };
  const AdminMethod* find(std::string_view method) const;
  Ready prepare(std::string_view method, const rapidjson::Value* params,
                const AdminCaller& caller) const;

  Log& log_;
  const AdminMethods methods_;
};

}  // namespace gantry::host::rpc
