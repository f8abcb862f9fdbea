#include "host/rpc/admin/commands.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <vector>

#include "host/base/json.hpp"
#include "host/rpc/admin/parameters.hpp"
#include "host/rpc/admin/state_json.hpp"

namespace gantry::host::rpc {
namespace {

namespace fs = std::filesystem;
using Value = rapidjson::Value;

using Command = AdminCommand;
using Given = AdminGiven;

Error error_of(const Status& status) {
  switch (status.code()) {
    case GANTRY_INVALID_ARGUMENT:
      return {kInvalidParams, status.message(), 400, {}};
    case GANTRY_NOT_FOUND:
      return {kInvalidParams, status.message(), 404, {}};
    case GANTRY_DENIED:
      return {kServerError, status.message(), 403, {}};
    case GANTRY_BUSY:
    case GANTRY_STOPPING:
      return {kServerError, status.message(), 503, {}};
    default:
      return {kServerError, status.message(), 409, {}};
  }
}

template <class Matches>
std::string states(const PluginAdmin& plugins, Matches&& wanted) {
  std::string out = "{\"plugins\":[";
  for (const PluginState& state : plugins.list()) {
    if (!wanted(state)) continue;
    if (!out.ends_with('[')) out += ',';
    out += state_json(state);
  }
  return out + "]}";
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

Status change(PluginAdmin& plugins, std::string_view method, const Given& given) {
  if (method == "plugin.load") return plugins.load(fs::path(given.file).lexically_normal());
  if (method == "plugin.unload") return plugins.unload(given.name);
  if (method == "plugin.reload") return plugins.reload(given.name);
  if (method == "plugin.enable") return plugins.enable(given.name);
  if (method == "plugin.disable") return plugins.disable(given.name);
  return plugins.quarantine(given.name, !given.lift);
}

Result<std::string> approval(const AdminFacts& facts, const Command& command, const Given& given,
                             std::string_view client) {
  if (facts.approvals == nullptr) return Status::failed("this host asks for no approvals");
  Approvals& approvals = *facts.approvals;
  if (command.method == "approval.list") return approvals.list();
  if (command.method == "approval.show") return approvals.show(given.id);
  const Status status =
      approvals.answer_as_operator(given.id, given.accept, std::string(client), given.note);
  if (!status) return status;
  std::string out = "{";
  append_text_member(out, "id", given.id);
  append_json_member(out, "accept", given.accept ? "true" : "false");
  return out + "}";
}

Result<std::string> answer(PluginAdmin& plugins, const AdminFacts& facts, const Command& command,
                           const Given& given, std::string_view client) {
  if (command.method.starts_with("approval.")) return approval(facts, command, given, client);
  if (command.method == "host.info") {
    std::string out = "{";
    append_text_member(out, "version", facts.version);
    append_json_member(out, "pid", std::to_string(::getpid()));
    if (!facts.endpoint.empty()) append_text_member(out, "endpoint", facts.endpoint);
    return out + "}";
  }
  if (command.method == "audit.find") {
    return "{\"records\":" + (facts.audit ? facts.audit->find(given.id) : "[]") + "}";
  }
  if (command.method == "agent.permit") {
    if (!facts.permit) return Status::not_found("This host answers no agent.permit");
    return facts.permit({given.agent, given.tool, given.classes, given.every});
  }
  if (command.method == "plugin.info") {
    auto info = plugins.info(given.name);
    if (!info) return info.status();
    return info_json(*info);
  }
  if (command.changes) {
    if (Status status = change(plugins, command.method, given); !status) return status;
  }
  return states(plugins, [&](const PluginState& state) {
    if (!given.file.empty()) return same_file(state.file, given.file);
    return given.name.empty() || state.name == given.name;
  });
}

}  // namespace

AdminCommands::AdminCommands(PluginAdmin& plugins, Log& log, AdminFacts facts)
    : plugins_(plugins), log_(log), facts_(std::move(facts)) {}

bool AdminCommands::changes(std::string_view method) {
  const Command* command = find_admin_command(method);
  return command != nullptr && command->changes;
}

AdminAnswer AdminCommands::run(std::string_view method, const Value* params,
                               std::string_view client) const {
  const auto begin = std::chrono::steady_clock::now();
  AdminAnswer out;
  Given given;
  if (const Command* command = find_admin_command(method); command == nullptr) {
    out.error = Error{kMethodNotFound, "There is no method '" + std::string(method) + "'", 404, {}};
  } else if (auto read_params = read_admin_parameters(*command, params); !read_params) {
    out.error = error_of(read_params.status());
  } else {
    given = *read_params;
    auto result = answer(plugins_, facts_, *command, given, client);
    if (result) out.result = std::move(*result);
    if (!result) out.error = error_of(result.status());
  }
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  std::vector<Field> fields{{"method", method}};
  if (!given.name.empty()) fields.emplace_back("plugin", given.name);
  if (!given.file.empty()) fields.emplace_back("file", given.file);
  if (!given.id.empty()) fields.emplace_back("id", given.id);
  fields.emplace_back("by", client);
  fields.emplace_back("outcome", out.error ? "refused" : "done");
  if (out.error) fields.emplace_back("reason", out.error->message);
  fields.emplace_back("ms", static_cast<std::int64_t>(took.count()));
  log_.write(Level::info, "admin command", fields);
  return out;
}

}  // namespace gantry::host::rpc
