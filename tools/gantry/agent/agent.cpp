#include "tools/gantry/agent/agent.hpp"

namespace gantry::cli {

void declare_agent(CLI::App& app, Run& run) {
  CLI::App* agent = app.add_subcommand("agent", "What agents may do, and why a call was refused");
  agent->require_subcommand(1);
  declare_agent_why(*agent, run);
}

}  // namespace gantry::cli
