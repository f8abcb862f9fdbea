// tools/gantry/plugin/plugin.hpp: the commands of `gantry plugin`, one file each.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_plugin(CLI::App& app, Run& run);

// Of `gantry plugin`.
void declare_plugin_list(CLI::App& plugin, Run& run);
void declare_plugin_info(CLI::App& plugin, Run& run);
void declare_plugin_change(CLI::App& plugin, Run& run);  // load, unload, reload, …
void declare_plugin_new(CLI::App& plugin, Run& run);
void declare_plugin_check(CLI::App& plugin, Run& run);
void declare_plugin_test(CLI::App& plugin, Run& run);
void declare_plugin_sign(CLI::App& plugin, Run& run);  // keygen, sign, verify

}  // namespace gantry::cli
