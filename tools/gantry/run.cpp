#include "tools/gantry/run.hpp"

#include <cstdio>
#include <string_view>

#include <CLI/CLI.hpp>

#include <gantry/abi/version.h>

#include "tools/gantry/agent/agent.hpp"
#include "tools/gantry/approvals/approvals.hpp"
#include "tools/gantry/audit/audit.hpp"
#include "tools/gantry/chat/chat.hpp"
#include "tools/gantry/command.hpp"
#include "tools/gantry/console/console.hpp"
#include "tools/gantry/dev/dev.hpp"
#include "tools/gantry/doctor/doctor.hpp"
#include "tools/gantry/help.hpp"
#include "tools/gantry/import/import.hpp"
#include "tools/gantry/key/key.hpp"
#include "tools/gantry/manual/completion.hpp"
#include "tools/gantry/mcp/mcp.hpp"
#include "tools/gantry/model/model.hpp"
#include "tools/gantry/operate/operate.hpp"
#include "tools/gantry/plugin/plugin.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/nearest.hpp"
#include "tools/gantry/writes/writes.hpp"

namespace gantry::cli {
namespace {

// Whether failures are JSON; set before the command runs.
bool complains_in_json = false;

constexpr const char* kAbout =
    "gantry calls tools of MCP servers, watches, checks and manages the host gantryd, makes its "
    "plugins and keys, and fills its databases.";

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 refused or found wrong, 2 wrong usage or no host to ask.";

constexpr const char* kFooter = R"(

Commands that ask a host find the one this user runs; --control PATH or --url URL name another.
With --json a failure is {"error":{code,message}}, the last line of standard error.

Try:  gantry tools --db shop.db
      gantry call query_class class_name=customers limit=3 --table --db shop.db
      gantry console --db shop.db
      gantry doctor
      gantry plugin list
      gantry plugin new word-count && gantry dev word-count
      gantry import people.csv --class people --db demo.db
      gantry model draft --db demo.db --model demo-model)";

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App* command_of(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

// The command below `app` that `argv` names, and the first word that names none; empty: there is
// no such word.
std::string unknown_command(const CLI::App*& app, int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with('-') || commands_of(*app).empty()) return {};
    const CLI::App* next = command_of(*app, word);
    if (next == nullptr) return word;
    app = next;
  }
  return {};
}

std::string names_command(const CLI::App& app) {
  const bool top = app.get_parent() == nullptr;
  return top ? "gantry" : names_command(*app.get_parent()) + " " + app.get_name();
}

// The sentence for a command line that was not understood.
std::string explained(const CLI::App& root, const CLI::ParseError& error, int argc,
                      const char* const* argv) {
  const CLI::App* app = &root;
  const std::string word = unknown_command(app, argc, argv);
  const std::string help = "\nRun " + names_command(*app) + " --help for " +
                           (commands_of(*app).empty() ? "its options." : "all commands.");
  if (word.empty()) return error.what() + help;
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(*app)) names.push_back(command->get_name());
  return "unknown command '" + word + "'" + did_you_mean(word, names) + help;
}

bool has_json_flag(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return false;
    if (word == "--json") return true;
  }
  return false;
}

// CLI11 takes a word [a,b] for two words. A blank before it keeps a JSON list among the arguments
// of `call` as it was given.
void keep_lists(const CLI::App& app, std::vector<std::string>& words) {
  const CLI::App* const call = words.front() == "call" ? command_of(app, "call") : nullptr;
  for (std::size_t i = 1; call != nullptr && i < words.size(); ++i) {
    const CLI::Option* const before = call->get_option_no_throw(words[i - 1]);
    const bool is_value = before != nullptr && before->get_type_size() > 0;
    if (!is_value && words[i].starts_with('[') && words[i].ends_with(']'))
      words[i].insert(0, 1, ' ');
  }
}

// The words after the program in reverse, as CLI11 takes them; `help` and `version` as flags.
std::vector<std::string> as_flags(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> out(argv + 1, argv + argc);
  if (out.empty()) return out;
  keep_lists(app, out);
  if (out.front() == "version") out.front() = "--version";
  if (out.front() == "help") {
    out.erase(out.begin());
    out.push_back("--help");
  }
  return {out.rbegin(), out.rend()};
}

void declare_all(CLI::App& app, Run& chosen) {
  app.set_version_flag("--version", std::string("gantry ") + GANTRY_SDK_VERSION);
  app.formatter(help_formatter());
  app.footer(kExitCodes);  // of each command that has no other
  app.require_subcommand(1);
  declare_call(app, chosen);
  declare_tools(app, chosen);
  declare_console(app, chosen);
  declare_chat(app, chosen);
  declare_doctor(app, chosen);
  declare_open(app, chosen);
  declare_plugin(app, chosen);
  declare_agent(app, chosen);
  declare_approvals(app, chosen);
  declare_writes(app, chosen);
  declare_undo(app, chosen);
  declare_audit(app, chosen);
  declare_sessions(app, chosen);
  declare_subscriptions(app, chosen);
  declare_dev(app, chosen);
  declare_import(app, chosen);
  declare_key(app, chosen);
  declare_model(app, chosen);
  declare_completion(app, chosen);
  app.footer(std::string(kExitCodes) + kFooter);
}

}  // namespace

int complain(const std::string& sentence, int code, const std::string& error_code) {
  std::fflush(stdout);
  if (complains_in_json && code != kDone) {
    const std::string message = object({{"message", sentence}});
    std::fprintf(stderr, "{\"error\":{\"code\":%s,%s}\n", error_code.c_str(), message.c_str() + 1);
  } else {
    std::fprintf(stderr, "gantry: %s\n", printable_lines(sentence).c_str());
  }
  return code;
}

void with_commands(const std::function<void(const CLI::App&)>& use) {
  CLI::App app(kAbout, "gantry");
  Run chosen;
  declare_all(app, chosen);
  use(app);
}

int run(int argc, const char* const* argv) {
  CLI::App app(kAbout, "gantry");
  Run chosen;
  complains_in_json = has_json_flag(argc, argv);
  declare_all(app, chosen);
  try {
    app.parse(as_flags(app, argc, argv));
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return complain(explained(app, error, argc, argv), kUnusable);
  }
  return chosen();
}

}  // namespace gantry::cli
