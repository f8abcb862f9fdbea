// gantry undo ID
#include <unistd.h>

#include <cstdio>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/text/ask.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/writes/writes.hpp"

namespace gantry::cli {
namespace {

struct UndoOptions {
  HostChoice host;
  std::string id;
  bool json = false, yes = false;
};

int send_undo(const UndoOptions& options, Host& host) {
  const auto answer = host.ask("writes.undo", object({{"id", options.id}}));
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto document = parsed(*answer);
  if (options.json) {
    std::puts(pretty(document).c_str());
    return kDone;
  }
  const std::uint64_t rows = number_at(document, "rows");
  std::printf("undone: %llu %s put back; to take that back: gantry undo %s\n",
              static_cast<unsigned long long>(rows), rows == 1 ? "row" : "rows",
              printable(text_at(document, "id")).c_str());
  return kDone;
}

// What is taken back was shown before. With --json standard output has the answer alone.
int undo_write(const UndoOptions& options) {
  if (!options.yes && ::isatty(STDIN_FILENO) == 0) {
    return complain(
        "there is no terminal to ask at; look with `gantry writes show` and undo with --yes",
        kUnusable);
  }
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  if (options.yes) return send_undo(options, **host);
  const auto shown = (*host)->ask("writes.show", object({{"id", options.id}}));
  if (!shown) return complain(shown.status(), exit_code(shown.status()));
  std::FILE* const out = options.json ? stderr : stdout;
  std::fputs(write_text(parsed(*shown)).c_str(), out);
  if (!confirmed("Put the rows back? [y/N] ", out)) {
    std::fputs("not undone\n", out);
    return kFailed;
  }
  return send_undo(options, **host);
}

}  // namespace

void declare_undo(CLI::App& app, Run& run) {
  auto options = std::make_shared<UndoOptions>();
  CLI::App* command = app.add_subcommand(
      "undo", "Show a write of an agent, ask, and put its rows back if they are unchanged since");
  command->add_option("ID", options->id, "Of `gantry writes list`")->required();
  command->add_flag("--yes", options->yes, "Do not ask");
  command->add_flag("--json", options->json, "The answer as JSON");
  declare_host(*command, options->host);
  command->callback([options, &run] { run = [options] { return undo_write(*options); }; });
}

}  // namespace gantry::cli
