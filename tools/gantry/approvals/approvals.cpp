#include "tools/gantry/approvals/approvals.hpp"

#include <CLI/CLI.hpp>

namespace gantry::cli {

void declare_approvals(CLI::App& app, Run& run) {
  CLI::App* approvals =
      app.add_subcommand("approvals", "Calls of agents that wait for a person's approval");
  approvals->require_subcommand(1);
  declare_approvals_list(*approvals, run);
  declare_approvals_answer(*approvals, run);
}

}  // namespace gantry::cli
