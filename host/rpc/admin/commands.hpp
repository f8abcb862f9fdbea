// host/rpc/admin/commands.hpp: the admin methods of a running host.
//
// | method | parameters | result |
// | host.info | | {version, pid, endpoint?} |
// | agent.permit | agent, tool?, classes? (array; without: of no class), every? (boolean: all
// classes that the server shows some agent) | {verdicts: [{tool, class?, allowed, error_code?,
// cause?, reason?}…]}: whether calls of the tool, or of each, would be let in |
// | audit.find | id (correlation or audit id) | {records: [audit record…]}: failed calls, latest
// first | | plugin.list | | {plugins: [state…]} | | plugin.info | name | state with {manifest,
// offer, settings} | | plugin.load | file (absolute path) | {plugins: [the state]} | |
// plugin.unload, plugin.enable, plugin.disable | name | {plugins: [the state, if any]} | |
// plugin.reload | name? (without: all) | {plugins: [the states]} | | plugin.quarantine | name,
// lift? (boolean) | {plugins: [the state]} | | approval.list | | {approvals: [each that waits]} | |
// approval.show | id | one of them, with {arguments, preview?} | | approval.answer | id, accept
// (boolean), note? | {id, accept} |
//
// A state is state_json() of state_json.hpp. The transport has checked that the client is an
// operator. Every command is logged with its client and its outcome.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>
#include <gantry/result.hpp>

#include "host/approvals/approvals.hpp"
#include "host/observe/audit.hpp"
#include "host/observe/log.hpp"
#include "host/plugin/admin.hpp"
#include "host/rpc/message/error.hpp"

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
};

struct AdminAnswer {
  std::string result;  // JSON on one line; empty when there is an error
  std::optional<Error> error;
};

class AdminCommands {
 public:
  // `plugins` and `log` must outlive this.
  AdminCommands(PluginAdmin& plugins, Log& log, AdminFacts facts);

  // `params` may be null. `client` names the caller in the log. Commands that change something
  // block until it has taken effect. Any thread but the loader's control thread.
  AdminAnswer run(std::string_view method, const rapidjson::Value* params,
                  std::string_view client) const;

  // True when run() may block: it changes something, or asks plugins. Any thread.
  static bool changes(std::string_view method);

 private:
  PluginAdmin& plugins_;
  Log& log_;
  const AdminFacts facts_;
};

}  // namespace gantry::host::rpc
