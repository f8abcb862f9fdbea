// gantry agent list and gates
#include "tools/gantry/agent/agent.hpp"

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "host/auth/agents/agents_file.hpp"
#include "tools/gantry/agent/gates.hpp"
#include "tools/gantry/agent/profile_text.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct AgentOptions {
  std::string agents;
  bool json = false, readonly = false;
};

int list_agents(const AgentOptions& options) {
  const auto file = host::read_agents_file(options.agents);
  if (!file) return complain(file.status(), kUnusable);
  std::fputs((options.json ? visible_json(json_of(*file)) + "\n" : profile_table(*file)).c_str(),
             stdout);
  return kDone;
}

int show_gates(const AgentOptions& options) {
  const auto gates = operator_gates();
  std::fputs((options.json ? gates_json(gates) + "\n" : gate_table(gates)).c_str(), stdout);
  if (!options.readonly || !any_open(gates)) return kDone;
  return complain("a gate is open where only reading was expected", kFailed);
}

}  // namespace

void declare_agent(CLI::App& app, Run& run) {
  CLI::App* agent = app.add_subcommand("agent", "What agents may do, and why a call was refused");
  agent->require_subcommand(1);
  const auto options = std::make_shared<AgentOptions>();
  CLI::App* list = agent->add_subcommand("list", "All profiles of an agents file");
  list->add_option("--agents", options->agents, "The agents file")->type_name("FILE")->required();
  list->add_flag("--json", options->json, "As JSON");
  list->callback([options, &run] { run = [options] { return list_agents(*options); }; });
  declare_agent_describe(*agent, run);
  declare_agent_permit(*agent, run);
  declare_agent_why(*agent, run);
  CLI::App* gates = agent->add_subcommand("gates", "The gates for writes in this environment");
  gates->add_flag("--expect-readonly", options->readonly, "Exit with 1 if one is open");
  gates->add_flag("--json", options->json, "As JSON");
  gates->callback([options, &run] { run = [options] { return show_gates(*options); }; });
}

}  // namespace gantry::cli
