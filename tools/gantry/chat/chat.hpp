// tools/gantry/chat/chat.hpp: the command `gantry chat`.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_chat(CLI::App& app, Run& run);

}  // namespace gantry::cli
