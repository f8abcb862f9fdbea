// gantry tools [TOOL]
#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/mcp/mcp.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/mcp/tool.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/pager.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

struct ToolsOptions {
  ServerChoice server;
  std::string name;
  bool json = false, signatures = false, names = false;
};

int show_tools(const ToolsOptions& options) {
  const Stop stop;
  const auto server = reach_server(options.server, stop);
  if (!server) return complain(server.status(), server_exit_code(server.status()));
  const auto listed = server->client.tools();
  if (!listed) {
    return complain(explained(listed.status(), options.server), server_exit_code(listed.status()));
  }
  const std::size_t width = terminal_columns();
  std::string text = options.json         ? pretty((*listed)["tools"]) + "\n"
                     : options.signatures ? signatures(*listed)
                     : options.names      ? tool_names(*listed)
                                          : tool_table(*listed, width);
  if (!options.name.empty()) {
    const auto* tool = find_tool(*listed, options.name);
    if (tool == nullptr) return complain(no_such_tool(*listed, options.name), kUnusable);
    text = options.json ? pretty(*tool) + "\n" : tool_page(*tool, width);
  }
  show_paged(text);
  return kDone;
}

}  // namespace

void declare_tools(CLI::App& app, Run& run) {
  auto options = std::make_shared<ToolsOptions>();
  CLI::App* command =
      app.add_subcommand("tools", "The tools of a server; of one, its arguments and an example");
  command->add_option("TOOL", options->name, "The tool");
  auto* json = command->add_flag("--json", options->json, "As the server describes them, as JSON");
  command
      ->add_flag("--signatures", options->signatures,
                 "A line for each: its arguments with their types, optional ones in brackets")
      ->excludes(json);
  command->add_flag("--names", options->names, "Their names alone, a line each")->excludes(json);
  declare_server(*command, options->server);
  declare_agent_choice(*command, options->server);
  command->footer("Try:  gantry tools --db shop.db\n      gantry tools query_class");
  command->callback([options, &run] { run = [options] { return show_tools(*options); }; });
}

}  // namespace gantry::cli
