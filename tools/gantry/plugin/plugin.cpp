#include "tools/gantry/plugin/plugin.hpp"

namespace gantry::cli {

void declare_plugin(CLI::App& app, Run&) {
  CLI::App* plugin = app.add_subcommand("plugin", "Plugins of a running host, and their making");
  plugin->require_subcommand(1);
}

}  // namespace gantry::cli
