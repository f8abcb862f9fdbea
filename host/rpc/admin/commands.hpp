// host/rpc/admin/commands.hpp: the admin methods of a running host.
//
// | method | parameters | result |
// | host.info | | {version, pid, endpoint?} |
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

#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include "host/approvals/approvals.hpp"
#include "host/observe/audit.hpp"
#include "host/observe/log.hpp"
#include "host/plugin/admin.hpp"
#include "host/rpc/message/error.hpp"

namespace gantry::host::rpc {

struct AdminFacts {
  std::string version;
  std::string endpoint;            // a URL, or "stdio"; empty where the client knows it
  const Audit* audit = nullptr;    // outlives the commands; null: audit.find finds nothing
  Approvals* approvals = nullptr;  // likewise; null: nothing waits for approval
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

  // True when run() may block: it changes something. Any thread.
  static bool changes(std::string_view method);

 private:
  PluginAdmin& plugins_;
  Log& log_;
  const AdminFacts facts_;
};

}  // namespace gantry::host::rpc
