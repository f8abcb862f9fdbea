// host/config/flags.hpp: the command line of gantryd.
//
// For main(); one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "host/config/plugin_keys.hpp"
#include "host/config/settings.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace gantry::host {

// The result of reading the command line: the action of the program.
struct CommandLine {
  enum class Action { serve, check, leave };
  Action action = Action::serve;
  Settings settings;
  std::string config_file;  // that was read; empty: none
  // Plugins a flag gave configuration to: if such a one does not load, the server does not start.
  std::vector<std::string> required_plugins;
  // Plugin files and directories that flags name: without one of them the server does not start.
  std::vector<std::string> required_paths;
  std::string output;  // for standard output, before leaving
  std::string errors;  // for standard error
  int exit_code = 0;   // when action is leave: 0 done, 2 bad configuration
};

// Reads flags, those of `plugins` too, and the file they name; flags win.
CommandLine read_command_line(int argc, const char* const* argv, std::string_view version,
                              const std::vector<PluginKeys>& plugins);

// The parser of the command line, for what is made from it: manual pages and completions.
void with_flags(std::string_view version, const std::vector<PluginKeys>& plugins,
                const std::function<void(const CLI::App&)>& use);

}  // namespace gantry::host
