// gantry agent describe NAME
#include <cstdio>
#include <memory>

#include "tools/gantry/agent/agent.hpp"
#include "tools/gantry/agent/profile_text.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct DescribeOptions {
  ServerChoice server;
  std::string cls;
  bool json = false;
};

// The tools that remain are those that a server of the command's own lists for the profile.
int describe(const DescribeOptions& options) {
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
  const auto tools = server->client.tools();
  if (!tools) return complain(tools.status(), server_exit_code(tools.status()));
  const std::string text = describe_json(*agent, &*tools, options.cls);
  std::puts((options.json ? visible_json(text) : pretty(parsed(text))).c_str());
  return kDone;
}

}  // namespace

void declare_agent_describe(CLI::App& agent, Run& run) {
  auto options = std::make_shared<DescribeOptions>();
  CLI::App* command = agent.add_subcommand("describe", "Every layer that applies to a profile");
  command->add_option("NAME", options->server.agent, "The profile")->required();
  command->add_option("--class", options->cls, "Of filters, those of this class")
      ->type_name("CLASS");
  command->add_flag("--json", options->json, "On one line");
  declare_server(*command, options->server);
  command->get_option("--agents")->required();
  command->callback([options, &run] { run = [options] { return describe(*options); }; });
}

}  // namespace gantry::cli
