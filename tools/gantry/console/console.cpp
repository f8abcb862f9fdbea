// gantry console
#include "tools/gantry/console/console.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "host/config/paths.hpp"
#include "tools/gantry/console/completer.hpp"
#include "tools/gantry/console/grammar.hpp"
#include "tools/gantry/console/lines.hpp"
#include "tools/gantry/console/session.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using namespace console;

constexpr const char* kPrompt = "gantry> ";
constexpr const char* kContinued = "   ...> ";

// The file of the history; empty: this user has no place for it.
std::string history_file() {
  const auto directory = host::user_state_directory();
  if (!directory || !host::make_private_directory(*directory)) return {};
  return *directory / "console_history";
}

bool is_terminal() { return ::isatty(0) == 1 && ::isatty(1) == 1; }

// Reads a whole command: lines until no bracket is open. An interrupted one is dropped.
LineEnd read_command(Lines& lines, std::string& pending) {
  pending.clear();
  std::string line;
  do {
    const LineEnd end = lines.read(pending.empty() ? kPrompt : kContinued, line);
    if (end == LineEnd::ended && !pending.empty()) return LineEnd::line;
    if (end != LineEnd::line) return end;
    pending += (pending.empty() ? "" : " ") + line;
  } while (is_open(pending));
  return LineEnd::line;
}

// The exit code. Without a terminal a command that fails makes it 1.
int converse(Session& session, Lines& lines, std::string& command, Stop& stop) {
  const bool on_terminal = is_terminal();
  bool all_done = true;
  for (;;) {
    const LineEnd end = read_command(lines, command);
    if (end == LineEnd::interrupted) {
      stop.forget();
      if (stop.told() || !on_terminal) return kFailed;
      continue;
    }
    if (end == LineEnd::ended) break;
    lines.remember(command);
    const Outcome outcome = session.run(command);
    if (stop.told()) return kFailed;
    if (outcome == Outcome::leave) return all_done || on_terminal ? kDone : kFailed;
    all_done = all_done && outcome == Outcome::done;
  }
  if (on_terminal) std::fputs("\n", stdout);
  return all_done || on_terminal ? kDone : kFailed;
}

int run_console(const ServerChoice& choice) {
  Stop stop;
  const auto server = reach_server(choice, stop);
  if (!server)
    return complain(explained(server.status(), choice), server_exit_code(server.status()));
  // For gantry chat, which `ask` runs.
  if (!choice.key.empty()) ::setenv("GANTRY_API_KEY", choice.key.c_str(), 1);
  Catalog catalog(server->client);
  if (Status loaded = catalog.load(); !loaded) {
    return complain(explained(loaded, choice), server_exit_code(loaded));
  }
  std::string pending;
  const auto lines =
      is_terminal()
          ? edited_lines(stop, history_file(),
                         [&](std::string_view before) {
                           return candidates_for(
                               pending.empty() ? before : pending + " " + std::string(before),
                               catalog);
                         })
          : plain_lines(stop);
  if (is_terminal()) {
    std::fprintf(stderr, "%u tools of %s. help lists the commands, Tab completes, Ctrl-D leaves.\n",
                 static_cast<unsigned>(catalog.tools()["tools"].Size()),
                 printable(server->client.url()).c_str());
  }
  Session session(server->client, catalog, stop);
  return converse(session, *lines, pending, stop);
}

}  // namespace

void declare_console(CLI::App& app, Run& run) {
  auto choice = std::make_shared<ServerChoice>();
  CLI::App* command =
      app.add_subcommand("console", "Ask a server line by line, with completion and history");
  declare_server(*command, *choice);
  declare_agent_choice(*command, *choice);
  command->footer(
      "Commands: tools, schemas, schema, q, count, t, prompts, prompt, dispatch, ask, help, exit.\n"
      "On a terminal Tab completes commands, tools, classes, arguments and values; Ctrl-C cancels "
      "the call and Ctrl-D leaves; the history is console_history in $XDG_STATE_HOME/gantry. "
      "Without a terminal there is no prompt, and a command that fails makes the exit code 1.\n\n"
      "Try:  gantry console --db shop.db\n"
      "      echo 'count customers' | gantry console --db shop.db");
  command->callback([choice, &run] { run = [choice] { return run_console(*choice); }; });
}

}  // namespace gantry::cli
