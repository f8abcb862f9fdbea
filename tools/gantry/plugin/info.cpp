// gantry plugin info NAME
#include <cstdio>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/host/host.hpp"
#include "tools/gantry/plugin/plugin.hpp"
#include "tools/gantry/plugin/states.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

struct InfoOptions {
  HostChoice host;
  std::string name;
  bool json = false;
};

// One line per fact, then the objects.
std::string told(const rapidjson::Value& info) {
  std::vector<std::vector<std::string>> rows;
  std::string objects;
  for (const auto& member : info.GetObject()) {
    const std::string name = member.name.GetString();
    if (member.value.IsObject()) {
      if (member.value.MemberCount() > 0)
        objects += "\n" + name + "\n" + pretty(member.value) + "\n";
    } else if (member.value.IsString()) {
      rows.push_back({name, printable(member.value.GetString())});
    } else {
      rows.push_back({name, compact(member.value)});
    }
  }
  return table(rows) + objects;
}

int info(const InfoOptions& options) {
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  const auto answer = (*host)->ask("plugin.info", object({{"name", options.name}}));
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto document = parsed(*answer);
  if (!document.IsObject()) return complain("the host answered no object", kFailed);
  std::fputs((options.json ? pretty(document) + "\n" : told(document)).c_str(), stdout);
  return kDone;
}

}  // namespace

void declare_plugin_info(CLI::App& plugin, Run& run) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      plugin.add_subcommand("info", "One plugin: manifest, offer and settings, never a secret");
  command->add_option("NAME", options->name, "The plugin")->required();
  command->add_flag("--json", options->json, "As JSON");
  declare_host(*command, options->host);
  command->callback([options, &run] { run = [options] { return info(*options); }; });
}

}  // namespace gantry::cli
