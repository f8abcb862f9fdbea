// gantry agent would-permit NAME TOOL [--class C]: asks a server as the profile, so that the gates
// of a real call answer.
#include <cctype>
#include <cstdio>
#include <memory>

#include "host/auth/agents/agents_file.hpp"
#include "host/base/json.hpp"
#include "tools/gantry/agent/agent.hpp"
#include "tools/gantry/mcp/answer.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/mcp/tool.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using host::append_text_member;

struct PermitOptions {
  ServerChoice server;
  std::string tool, cls;
  bool json = false;
};

struct Verdict {
  std::string denied_at, reason;  // empty: permitted
};

std::string member_json(std::string_view name, std::string_view text) {
  std::string out = "{";
  append_text_member(out, name, text);
  return out + "}";
}

// A tool that is not listed is denied, so calling it runs nothing; the refusal is that of a call.
Result<Verdict> denied_tool(const Client& client, const std::string& tool) {
  std::string params = "{";
  append_text_member(params, "name", tool);
  const auto answer = client.ask("tools/call", params + ",\"arguments\":{}}", tool);
  if (!answer) return answer.status();
  Refusal refusal;
  if (!is_refused(parsed(*answer), refusal)) {
    return Status::failed("the server listed no '" + tool + "', but let it be called");
  }
  if (refusal.code.find("tool_filtered") != std::string::npos)
    return Verdict{"tools", refusal.message};
  if (refusal.code.find("permission_denied") != std::string::npos)
    return Verdict{"tier", refusal.message};
  return Status::not_found(refusal.message + "; no loaded plugin offers it, or its gate is closed");
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    char hex[4];
    std::snprintf(hex, sizeof hex, "%%%02X", byte);
    out += hex;
  }
  return out;
}

// The part of the class that this tool needs. A resource passes the gates of the same service and
// is not subject to the tool lists.
std::string resource_of(const std::string& tool, const std::string& cls) {
  const bool of_schema = tool == "get_schema" || tool == "get_object" || tool == "get_objects";
  const char* const part = tool == "count_objects" ? "count" : of_schema ? "schema" : "samples";
  return "data://" + percent_encoded(cls) + "/" + part;
}

Result<Verdict> denied_class(const PermitOptions& options, const Client& client,
                             const host::Agent& agent) {
  const auto read = [&](const std::string& uri) -> Result<std::string> {
    const auto answer = client.ask("resources/read", member_json("uri", uri), uri);
    if (!answer) return answer.status();
    Refusal refusal;
    if (!is_refused(parsed(*answer), refusal)) return std::string();
    return refusal.message;
  };
  const auto schema = read(resource_of("get_schema", options.cls));
  if (!schema) return schema.status();
  if (!schema->empty()) {
    return Verdict{agent.classes.allows(options.cls) ? "class_hidden" : "class_filter",
                   "Class '" + options.cls + "' is not accessible to this agent"};
  }
  const auto part = read(resource_of(options.tool, options.cls));
  if (!part) return part.status();
  return part->empty() ? Verdict() : Verdict{"class_permission", *part};
}

Result<Verdict> verdict_of(const PermitOptions& options, const Client& client,
                           const host::Agent& agent) {
  const auto tools = client.tools();
  if (!tools) return tools.status();
  if (find_tool(*tools, options.tool) == nullptr) return denied_tool(client, options.tool);
  return options.cls.empty() ? Verdict() : denied_class(options, client, agent);
}

int would_permit(const PermitOptions& options) {
  const auto file = host::read_agents_file(options.server.agents);
  if (!file) return complain(file.status(), kUnusable);
  const auto agent = file->find(options.server.agent);
  if (!agent) {
    return complain(
        "there is no profile '" + options.server.agent + "'; profiles: " + file->names(),
        kUnusable);
  }
  const Stop stop;
  const auto server = reach_server(options.server, stop);
  if (!server) return complain(server.status(), server_exit_code(server.status()));
  const auto verdict = verdict_of(options, server->client, *agent);
  if (!verdict) return complain(verdict.status(), server_exit_code(verdict.status()));
  const bool allowed = verdict->denied_at.empty();
  std::string out = allowed ? "{\"allowed\":true" : "{\"allowed\":false";
  if (!allowed) append_text_member(out, "reason", verdict->reason);
  if (!allowed) append_text_member(out, "denied_at", verdict->denied_at);
  out += '}';
  std::puts((options.json ? out : pretty(parsed(out))).c_str());
  return allowed ? kDone : kFailed;
}

}  // namespace

void declare_agent_permit(CLI::App& agent, Run& run) {
  auto options = std::make_shared<PermitOptions>();
  CLI::App* command = agent.add_subcommand(
      "would-permit", "Whether a profile may call a tool, and where it would be denied");
  command->add_option("NAME", options->server.agent, "The profile")->required();
  command->add_option("TOOL", options->tool, "The tool")->required();
  command->add_option("--class", options->cls, "The class that it would be called for")
      ->type_name("CLASS");
  command->add_flag("--json", options->json, "On one line");
  declare_server(*command, options->server);
  command->get_option("--agents")->required();
  command->callback([options, &run] { run = [options] { return would_permit(*options); }; });
}

}  // namespace gantry::cli
