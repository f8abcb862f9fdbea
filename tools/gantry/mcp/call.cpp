// gantry call TOOL [JSON | @FILE | - | KEY=VALUE]…
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/mcp/answer.hpp"
#include "tools/gantry/mcp/arguments.hpp"
#include "tools/gantry/mcp/mcp.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/mcp/shown_request.hpp"
#include "tools/gantry/mcp/tool.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/pager.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

struct CallOptions {
  ServerChoice server;
  std::string tool;
  std::vector<std::string> words;
  bool json = false, table = false;
};

int fail(const CallOptions& options, const Status& status) {
  return complain(explained(status, options.server), server_exit_code(status));
}

// The words, with the text of standard input in the place of "-", and of a file in that of "@FILE".
Result<std::vector<std::string>> completed(std::vector<std::string> words) {
  for (auto& word : words) {
    if (word == "-") word.assign(std::istreambuf_iterator<char>(std::cin), {});
    if (!word.starts_with('@')) continue;
    std::ifstream in(word.substr(1));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in || text.empty()) return Status::invalid("cannot read the file of " + printable(word));
    word = text;
  }
  return words;
}

int print(const CallOptions& options, const rapidjson::Value& result) {
  const Form form = options.table ? Form::table : options.json ? Form::compact : Form::pretty;
  std::string text = answer_text(result, form, terminal_columns());
  if (::isatty(1) == 1) text = printable_lines(text);
  show_paged(text);
  if (!options.table) return kDone;
  auto flags = server_words(options.server);
  flags.insert(flags.begin(), "--table");
  if (const std::string next = next_page(result, flags); !next.empty()) {
    std::fprintf(stderr, "There are more rows: %s\n", next.c_str());
  }
  return kDone;
}

int call_tool(const CallOptions& options, const Client& client, const std::string& arguments) {
  std::optional<Refusal> refusal;
  const auto result = ask_shown(client, "tools/call", params_of_call(options.tool, arguments),
                                options.tool, refusal);
  if (refusal) return complain(refusal->message, kFailed, refusal->code);
  return result ? print(options, *result) : fail(options, result.status());
}

int run_call(const CallOptions& options) {
  const auto words = completed(options.words);
  if (!words) return complain(words.status(), kUnusable);
  const Stop stop;
  const auto server = reach_server(options.server, stop);
  if (!server) return fail(options, server.status());
  const auto listed = server->client.tools();
  if (!listed) return fail(options, listed.status());
  const auto* tool = find_tool(*listed, options.tool);
  if (tool == nullptr) return complain(no_such_tool(*listed, options.tool), kUnusable);
  const auto arguments = arguments_of(*words, schema_of(*tool));
  if (!arguments) {
    return complain(
        arguments.message() + "\nRun gantry tools " + options.tool + " for its arguments.",
        kUnusable);
  }
  return call_tool(options, server->client, *arguments);
}

}  // namespace

void declare_call(CLI::App& app, Run& run) {
  auto options = std::make_shared<CallOptions>();
  CLI::App* command = app.add_subcommand("call", "Call a tool of a server");
  command->add_option("TOOL", options->tool, "The tool")->required();
  command->add_option(
      "ARGUMENTS", options->words,
      "A JSON object, @FILE for one in a file, - for one on standard input, or KEY=VALUE; a value "
      "is read as the tool's schema says, and a key given again adds to an array");
  auto* json = command->add_flag("--json", options->json,
                                 "On one line, errors as {\"error\":{code,message}}");
  command->add_flag("--table", options->table, "Rows as a table")->excludes(json);
  declare_server(*command, options->server);
  declare_agent_choice(*command, options->server);
  command->footer(
      "Exit codes: 0 done, 1 refused by the tool or the server, 2 wrong usage or no server to "
      "ask.\n"
      "Ctrl-C cancels the call. gantry tools NAME shows a tool's arguments.\n\n"
      "Try:  gantry call query_class class_name=customers limit=3 --table --db shop.db\n"
      "      gantry call aggregate "
      "'{\"class_name\":\"orders\",\"pipeline\":[{\"$count\":\"n\"}]}'");
  command->callback([options, &run] { run = [options] { return run_call(*options); }; });
}

}  // namespace gantry::cli
