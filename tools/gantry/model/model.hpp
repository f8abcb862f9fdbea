// tools/gantry/model/model.hpp: the commands of `gantry model`, one file each.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_model(CLI::App& app, Run& run);

// Of `gantry model`.
void declare_model_audit(CLI::App& model, Run& run);
void declare_model_draft(CLI::App& model, Run& run);

}  // namespace gantry::cli
