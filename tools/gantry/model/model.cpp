#include "tools/gantry/model/model.hpp"

#include <CLI/CLI.hpp>

namespace gantry::cli {

void declare_model(CLI::App& app, Run& run) {
  CLI::App* model = app.add_subcommand("model", "The operator's description of a database");
  model->require_subcommand(1);
  declare_model_audit(*model, run);
  declare_model_draft(*model, run);
}

}  // namespace gantry::cli
