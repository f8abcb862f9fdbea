// gantry plugin list
#include <cstdio>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/host/host.hpp"
#include "tools/gantry/plugin/plugin.hpp"
#include "tools/gantry/plugin/states.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct ListOptions {
  HostChoice host;
  bool json = false;
};

int list(const ListOptions& options) {
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  const auto answer = (*host)->ask("plugin.list", "{}");
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto document = parsed(*answer);
  std::fputs((options.json ? pretty(document) + "\n" : state_table(document)).c_str(), stdout);
  return kDone;
}

}  // namespace

void declare_plugin_list(CLI::App& plugin, Run& run) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = plugin.add_subcommand("list", "All plugins of the host and how they stand");
  command->add_flag("--json", options->json, "As JSON");
  declare_host(*command, options->host);
  command->callback([options, &run] { run = [options] { return list(*options); }; });
}

}  // namespace gantry::cli
