#include "tools/gantry/plugin/plugin.hpp"

#include <CLI/CLI.hpp>

namespace gantry::cli {

void declare_plugin(CLI::App& app, Run& run) {
  CLI::App* plugin = app.add_subcommand("plugin", "Plugins of a running host, and their making");
  plugin->require_subcommand(1);
  declare_plugin_list(*plugin, run);
  declare_plugin_info(*plugin, run);
  declare_plugin_change(*plugin, run);
  declare_plugin_new(*plugin, run);
  declare_plugin_check(*plugin, run);
  declare_plugin_test(*plugin, run);
  declare_plugin_sign(*plugin, run);
}

}  // namespace gantry::cli
