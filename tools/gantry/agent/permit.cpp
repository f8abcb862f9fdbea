// gantry agent would-permit: asks a host of its own whether calls of profiles would be let in, by
// the gates of real calls.
#include <algorithm>
#include <cstdio>
#include <memory>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "host/auth/agents/agents_file.hpp"
#include "host/base/json.hpp"
#include "tools/gantry/agent/agent.hpp"
#include "tools/gantry/agent/permit_text.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/model/files.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using host::append_json_member;
using host::append_text_member;

struct PermitOptions {
  ServerChoice server;
  std::string agent, tool;
  std::vector<std::string> classes;
  bool all = false, json = false;
};

std::string question_for(const PermitOptions& options, const std::string& agent,
                         const std::vector<std::string>& classes) {
  std::string out = "{";
  append_text_member(out, "agent", agent);
  if (!options.tool.empty()) append_text_member(out, "tool", options.tool);
  std::string names = "[";
  for (const std::string& name : classes)
    names += (names.size() > 1 ? "," : "") + host::json_string(name);
  append_json_member(out, "classes", names + "]");
  if (options.all && options.classes.empty()) append_json_member(out, "every", "true");
  return out + "}";
}

// With --all also the classes of the model, which may hide them from every agent.
Result<std::vector<std::string>> classes_of(const PermitOptions& options) {
  std::vector<std::string> names = options.classes;
  if (!options.all || !names.empty() || options.server.model.empty()) return names;
  const auto files = read_model_files(options.server.model);
  if (!files) return files.status();
  for (const ModelFile& file : *files) names.push_back(file.cls);
  return names;
}

Result<PermitRows> ask_about(Host& host, const PermitOptions& options, const std::string& agent,
                             const std::vector<std::string>& classes) {
  const auto answer = host.ask("agent.permit", question_for(options, agent, classes));
  if (!answer) return answer.status();
  return permit_rows(agent, parsed(*answer));
}

int show_one(const PermitOptions& options, const PermitRows& rows) {
  const std::string text = verdict_json(rows.front(), false);
  std::puts((options.json ? visible_json(text) : pretty(parsed(text))).c_str());
  return rows.front().denied_at.empty() ? kDone : kFailed;
}

int show_all(const PermitOptions& options, const PermitRows& rows) {
  if (!options.json) std::fputs(permit_table(rows).c_str(), stdout);
  for (const PermitRow& row : rows) {
    if (options.json) std::puts(visible_json(verdict_json(row, true)).c_str());
  }
  return kDone;
}

// The profiles that are asked about; empty: there is none of this name.
std::vector<std::string> profiles_of(const PermitOptions& options, const host::AgentsFile& file) {
  if (!options.agent.empty())
    return file.find(options.agent) ? std::vector{options.agent} : std::vector<std::string>();
  std::vector<std::string> names;
  for (const auto& [name, agent] : file.agents) names.push_back(name);
  return names;
}

Status check_names(const PermitOptions& options) {
  if (options.all || (!options.agent.empty() && !options.tool.empty())) return {};
  return Status::invalid("would-permit needs NAME and TOOL, or --all");
}

int would_permit(const PermitOptions& options) {
  if (Status good = check_names(options); !good) return complain(good, kUnusable);
  const auto file = host::read_agents_file(options.server.agents);
  if (!file) return complain(file.status(), kUnusable);
  const auto profiles = profiles_of(options, *file);
  if (profiles.empty()) {
    return complain("there is no profile '" + options.agent + "'; profiles: " + file->names(),
                    kUnusable);
  }
  const auto classes = classes_of(options);
  if (!classes) return complain(classes.status(), kUnusable);
  const Stop stop;
  const auto server = reach_server(options.server, stop);
  if (!server) return complain(server.status(), server_exit_code(server.status()));
  const auto host = socket_host(server->own->control());
  if (!host) return complain(host.status(), exit_code(host.status()));
  PermitRows rows;
  for (const std::string& name : profiles) {
    auto some = ask_about(**host, options, name, *classes);
    if (!some) return complain(some.status(), kUnusable);
    rows.insert(rows.end(), std::make_move_iterator(some->begin()),
                std::make_move_iterator(some->end()));
  }
  return rows.size() > 1 || options.all ? show_all(options, rows) : show_one(options, rows);
}

}  // namespace

void declare_agent_permit(CLI::App& agent, Run& run) {
  auto options = std::make_shared<PermitOptions>();
  CLI::App* command = agent.add_subcommand(
      "would-permit", "Whether a profile may call a tool, and where it would be denied");
  command->add_option("NAME", options->agent, "The profile");
  command->add_option("TOOL", options->tool, "The tool");
  command->add_option("--class", options->classes, "The class that it would be called for")
      ->type_name("CLASS")
      ->expected(1)
      ->take_all();
  command->add_flag("--all", options->all,
                    "Every profile, or NAME's, with every tool and every class, as a table");
  command->add_flag("--json", options->json, "On one line; with --all one line for each");
  declare_gantryd_flags(*command, options->server);
  command->get_option("--agents")->required();
  command->callback([options, &run] { run = [options] { return would_permit(*options); }; });
}

}  // namespace gantry::cli
