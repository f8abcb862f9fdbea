// gantry agent describe NAME
#include <cstdio>
#include <memory>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "host/base/json.hpp"
#include "tools/gantry/agent/agent.hpp"
#include "tools/gantry/agent/profile_text.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct DescribeOptions {
  ServerChoice server;
  std::string cls;
  bool json = false;
};

// What a server of the command's own knows of the profile: the tools that remain, and the model's
// layers.
Result<host::ProfileMore> ask_about(const DescribeOptions& options) {
  const Stop stop;
  const auto server = reach_server(options.server, stop);
  if (!server) return server.status();
  const auto host = socket_host(server->own->control());
  if (!host) return host.status();
  std::string question = "{";
  host::append_text_member(question, "agent", options.server.agent);
  if (!options.cls.empty()) host::append_text_member(question, "class", options.cls);
  const auto answer = (*host)->ask("agent.describe", question + "}");
  if (!answer) return answer.status();
  const auto told = parsed(*answer);
  host::ProfileMore more;
  more.effective = texts_of(member(member(told, "tools"), "effective"));
  more.only_class = options.cls;
  more.hidden = texts_of(member(told, "hidden_classes"));
  if (const auto* layers = find_member(told, "class_layers")) more.class_layers = compact(*layers);
  return more;
}

int describe(const DescribeOptions& options) {
  const auto file = host::read_agents_file(options.server.agents);
  if (!file) return complain(file.status(), kUnusable);
  const auto agent = file->find(options.server.agent);
  if (!agent) {
    return complain(
        "there is no profile '" + options.server.agent + "'; profiles: " + file->names(),
        kUnusable);
  }
  auto more = ask_about(options);
  if (!more) return complain(more.status(), server_exit_code(more.status()));
  const std::string text = describe_json(*agent, *std::move(more));
  std::puts((options.json ? visible_json(text) : pretty(parsed(text))).c_str());
  return kDone;
}

}  // namespace

void declare_agent_describe(CLI::App& agent, Run& run) {
  auto options = std::make_shared<DescribeOptions>();
  CLI::App* command = agent.add_subcommand("describe", "Every layer that applies to a profile");
  command->add_option("NAME", options->server.agent, "The profile")->required();
  command
      ->add_option("--class", options->cls,
                   "Every rule about this class: the model's, and the profile's filters for it")
      ->type_name("CLASS");
  command->add_flag("--json", options->json, "On one line");
  declare_gantryd_flags(*command, options->server);
  command->get_option("--agents")->required();
  command->callback([options, &run] { run = [options] { return describe(*options); }; });
}

}  // namespace gantry::cli
