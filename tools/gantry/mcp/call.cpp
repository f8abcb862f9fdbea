// gantry call TOOL [JSON | - | KEY=VALUE]…
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <iterator>

#include "tools/gantry/mcp/answer.hpp"
#include "tools/gantry/mcp/arguments.hpp"
#include "tools/gantry/mcp/mcp.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/mcp/tool.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

struct CallOptions {
  ServerChoice server;
  std::string tool;
  std::vector<std::string> words;
  bool json = false, table = false;
};

// The line of standard error about a running call; without a terminal there is none.
class ProgressLine {
 public:
  ProgressLine() = default;
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const rapidjson::Value& params) {
    if (!is_terminal_ || !params.IsObject()) return;
    std::string line = number(params, "progress");
    if (const std::string total = number(params, "total"); !total.empty()) line += "/" + total;
    line += " " + printable(text_at(params, "message"));
    std::fprintf(stderr, "\r\033[K%.100s", line.c_str());
    is_shown_ = true;
  }
  void clear() {
    if (is_shown_) std::fputs("\r\033[K", stderr);
    is_shown_ = false;
  }

 private:
  static std::string number(const rapidjson::Value& params, const char* name) {
    const auto found = params.FindMember(name);
    return found == params.MemberEnd() ? "" : compact(found->value);
  }

  const bool is_terminal_ = ::isatty(2) == 1;
  bool is_shown_ = false;
};

// A failure as one line for programs, else as a sentence.
int fail(const CallOptions& options, const Refusal& refusal, int exit) {
  if (!options.json) return complain(printable_lines(refusal.message), exit);
  rapidjson::Document error = parsed("{\"error\":{\"code\":" + refusal.code + "}}");
  auto& pool = error.GetAllocator();
  error["error"].AddMember("message", rapidjson::Value(refusal.message.c_str(), pool), pool);
  std::fprintf(stderr, "%s\n", compact(error).c_str());
  return exit;
}

int fail(const CallOptions& options, const Status& status) {
  return fail(options, {"null", explained(status, options.server)}, server_exit_code(status));
}

// The words, with the text of standard input in the place of "-".
std::vector<std::string> completed(std::vector<std::string> words) {
  for (auto& word : words) {
    if (word == "-") word.assign(std::istreambuf_iterator<char>(std::cin), {});
  }
  return words;
}

int print(const CallOptions& options, const rapidjson::Value& result) {
  const Form form = options.table ? Form::table : options.json ? Form::compact : Form::pretty;
  std::string text = answer_text(result, form, terminal_columns());
  if (::isatty(1) == 1) text = printable_lines(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (const std::string next = options.table ? next_page(result) : ""; !next.empty()) {
    std::fflush(stdout);
    std::fprintf(stderr, "There are more rows: %s\n", next.c_str());
  }
  return kDone;
}

int call_tool(const CallOptions& options, const Client& client, const std::string& arguments) {
  ProgressLine line;
  const auto answer = client.ask(
      "tools/call",
      "{\"name\":" +
          compact(
              rapidjson::Value(rapidjson::StringRef(options.tool.data(), options.tool.size()))) +
          ",\"arguments\":" + arguments + "}",
      options.tool, [&line](const rapidjson::Value& params) { line.show(params); });
  line.clear();
  if (!answer) return fail(options, answer.status());
  const auto document = parsed(*answer);
  Refusal refusal;
  if (is_refused(document, refusal)) return fail(options, refusal, kFailed);
  return print(options, document["result"]);
}

int run_call(const CallOptions& options) {
  const auto words = completed(options.words);
  const Stop stop;
  const auto server = reach_server(options.server, stop);
  if (!server) return fail(options, server.status());
  const auto listed = server->client.tools();
  if (!listed) return fail(options, listed.status());
  const auto* tool = find_tool(*listed, options.tool);
  if (tool == nullptr) {
    return fail(options, {"null", no_such_tool(*listed, options.tool)}, kUnusable);
  }
  static const rapidjson::Value any(rapidjson::kObjectType);
  const bool described = tool->HasMember("inputSchema");
  const auto arguments = arguments_of(words, described ? (*tool)["inputSchema"] : any);
  if (!arguments) {
    return fail(options,
                {"null", arguments.message() + "\nRun gantry tools " + options.tool +
                             " for its arguments."},
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
      "A JSON object, - for one on standard input, or KEY=VALUE; a value is read as "
      "the tool's schema says, and a key given again adds to an array");
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
