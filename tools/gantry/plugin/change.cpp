// gantry plugin load FILE, and unload, reload, enable, disable, quarantine NAME: asks the host and
// prints the plugin's new state.
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/host/host.hpp"
#include "tools/gantry/plugin/plugin.hpp"
#include "tools/gantry/plugin/states.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct ChangeOptions {
  HostChoice host;
  std::string method, name, file;
  bool lift = false;
};

std::string parameters(const ChangeOptions& options) {
  if (!options.file.empty()) {
    return object({{"file", std::filesystem::absolute(options.file).lexically_normal().string()}});
  }
  if (options.name.empty()) return "{}";
  std::string out = object({{"name", options.name}});
  if (options.lift) out.replace(out.size() - 1, 1, ",\"lift\":true}");
  return out;
}

int change(const ChangeOptions& options) {
  std::error_code error;
  if (!options.file.empty() && options.host.url.empty() &&
      !std::filesystem::exists(options.file, error)) {
    return complain("there is no file " + options.file, kUnusable);
  }
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  const auto answer = (*host)->ask(options.method, parameters(options));
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto document = parsed(*answer);
  if (names_of(document).empty() && !options.name.empty()) {
    std::printf("%s is gone\n", options.name.c_str());
  } else {
    std::fputs(state_table(document).c_str(), stdout);
  }
  return kDone;
}

CLI::App* declare(CLI::App& plugin, Run& run, const std::string& name, const char* help,
                  const std::shared_ptr<ChangeOptions>& options) {
  options->method = "plugin." + name;
  CLI::App* command = plugin.add_subcommand(name, help);
  declare_host(*command, options->host);
  command->callback([options, &run] { run = [options] { return change(*options); }; });
  return command;
}

}  // namespace

void declare_plugin_change(CLI::App& plugin, Run& run) {
  struct Row {
    const char *name, *help;
    bool name_needed;
  };
  auto load = std::make_shared<ChangeOptions>();
  declare(plugin, run, "load", "Load one more file and watch it from now on", load)
      ->add_option("FILE", load->file, "The .so, as the host sees it")
      ->required();
  for (const Row& row :
       {Row{"unload", "Take a plugin away until its file changes or it is loaded again", true},
        Row{"reload", "Load a plugin's file again; lifts a quarantine", false},
        Row{"enable", "Let a disabled plugin serve again", true},
        Row{"disable", "Take a plugin away, also after restarts of the host", true},
        Row{"quarantine", "Take a plugin's items away until a new file comes", true}}) {
    auto options = std::make_shared<ChangeOptions>();
    CLI::App* command = declare(plugin, run, row.name, row.help, options);
    command->add_option("NAME", options->name, row.name_needed ? "The plugin" : "The plugin [all]")
        ->required(row.name_needed);
    if (options->method != "plugin.quarantine") continue;
    command->add_flag("--lift", options->lift, "Give them back instead");
  }
}

}  // namespace gantry::cli
