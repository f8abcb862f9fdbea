// gantry plugin test FILE [ITEM [ARGUMENTS]]: runs a plugin in a fake host, in this process.
#include <algorithm>
#include <cstdio>
#include <memory>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "sdk/contract/item_kinds.hpp"
#include "tools/gantry/check/bench.hpp"
#include "tools/gantry/check/options.hpp"
#include "tools/gantry/plugin/database.hpp"
#include "tools/gantry/plugin/plugin.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

using testing::FakeHost;
using testing::Reply;

constexpr const char* kTestFooter =
    R"(Without ITEM it says what the plugin offers. ITEM is the name of a tool, prompt or service, or the URI of a
resource; ARGUMENTS a JSON object, for a tool by default the least that its schema allows. The plugin runs in
this process, so that a debugger sees it:  gdb --args gantry plugin test build/word-count.so word_count

With --db the services of the data engine are here (gantry.data/1), in the same process. Other plugins are not;
in a server with all of them:  gantry call TOOL ARGUMENTS --plugin FILE --db DATABASE

What it writes to its host's log and every broken rule of the contract go to standard error.
Exit code 0: answered, 1: an error, a broken rule, or it does not start.)";

struct TestOptions {
  std::string file, item, arguments;
  std::vector<std::string> answers;
  DatabaseChoice database;
  SurroundingOptions surroundings;
};

void list(FakeHost& host) {
  std::vector<std::vector<std::string>> rows;
  for (const contract::ItemKind& kind : contract::item_kinds()) {
    for (const std::string& name : host.items(kind.name)) {
      rows.push_back({std::string(kind.name), printable(name)});
    }
  }
  std::fputs(rows.empty() ? "It offers nothing.\n" : table(rows).c_str(), stdout);
}

bool has(const FakeHost& host, const char* kind, const std::string& name) {
  const auto items = host.items(kind);
  return std::find(items.begin(), items.end(), name) != items.end();
}

Result<Reply> enter(const Subject& subject, FakeHost& host, const TestOptions& options) {
  const std::string& item = options.item;
  const std::string given = options.arguments.empty() ? "{}" : options.arguments;
  if (has(host, "tool", item)) {
    const auto made = arguments_for(subject, host, item);
    if (options.arguments.empty() && !made) {
      return Status::invalid("no arguments could be made up for '" + item + "'; give some");
    }
    return host.call(item, options.arguments.empty() ? *made : given);
  }
  if (has(host, "prompt", item)) return host.prompt(item, given);
  if (has(host, "service", item)) return host.call_service(item, given);
  if (has(host, "method", item)) return host.enter("method", item, given);
  if (item.find(':') != std::string::npos) return host.read(item);
  return Status::not_found("it offers no '" + item + "'; gantry plugin test " + options.file +
                           " says what it offers");
}

void show(const Reply& reply) {
  for (const auto& [type, body] : reply.content) {
    const bool text = type == "text" || type == "block" || type.find("text/") == 0;
    const std::string shown = text ? body : std::to_string(body.size()) + " bytes";
    std::printf("%s: %s\n", type.c_str(), shown.c_str());
  }
  for (const auto& message : reply.messages) {
    std::printf("%s: %s\n", message.role.c_str(), message.block.c_str());
  }
  for (const auto& content : reply.contents) {
    const std::string shown =
        content.is_blob ? std::to_string(content.body.size()) + " bytes" : content.body;
    std::printf("%s (%s): %s\n", content.uri.c_str(), content.mime_type.c_str(), shown.c_str());
  }
  if (!reply.structured.empty()) std::printf("%s\n", pretty(parsed(reply.structured)).c_str());
  for (const auto& asked : reply.asked) {
    std::printf("asks %s: %s %s\nanswer it with --answer '%s={…}'\n", asked.key.c_str(),
                asked.method.c_str(), asked.params.c_str(), asked.key.c_str());
  }
}

int answer(const Reply& reply) {
  show(reply);
  if (reply.ok() || reply.needs_input()) return kDone;
  return complain(reply.error_code + (reply.message.empty() ? "" : ": " + reply.message), kFailed);
}

Status take_answers(FakeHost& host, const std::vector<std::string>& answers) {
  for (const std::string& pair : answers) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos) return Status::invalid("--answer is KEY=JSON");
    host.answer_input(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return {};
}

int run_item(const Subject& subject, FakeHost& host, const TestOptions& options) {
  if (Status s = host.start(); !s) return complain("it does not start: " + s.message(), kFailed);
  if (Status s = take_answers(host, options.answers); !s) return complain(s, kUnusable);
  int code = kDone;
  if (options.item.empty()) {
    list(host);
  } else {
    const Result<Reply> reply = enter(subject, host, options);
    code = reply ? answer(*reply) : complain(reply.status(), kUnusable);
  }
  if (Status s = host.stop(); !s) code = complain(s, kFailed);
  for (const auto& line : host.log()) {
    std::fprintf(stderr, "log %d: %s\n", line.level, printable(line.text).c_str());
  }
  return host.violations().empty() ? code : kFailed;
}

int test(const TestOptions& options) {
  const auto surroundings = read_surroundings(options.surroundings);
  if (!surroundings) return complain(surroundings.status(), kUnusable);
  const auto subject = read_subject(options.file, *surroundings);
  if (!subject) return complain(options.file + ": " + subject.message(), kFailed);
  const auto mapped = map_subject(*subject);
  if (!mapped) return complain(options.file + ": " + mapped.message(), kFailed);
  std::unique_ptr<Database> database;  // outlives the host
  if (!options.database.file.empty()) {
    auto opened = Database::open(options.database);
    if (!opened) return complain(opened.status(), kUnusable);
    database = std::move(*opened);
  }
  FakeHost host(testing::Linked{mapped->table(), subject->look.manifest},
                fake_options(*subject, [](const std::string& text) { complain(text, kFailed); }));
  if (database) database->provide_to(host);
  return run_item(*subject, host, options);
}

}  // namespace

void declare_plugin_test(CLI::App& plugin, Run& run) {
  auto options = std::make_shared<TestOptions>();
  CLI::App* command =
      plugin.add_subcommand("test", "Run a plugin's file and show what it offers and answers");
  command->footer(kTestFooter);
  command->add_option("FILE", options->file, "The plugin's .so")->required();
  command->add_option("ITEM", options->item, "What to call, read or fill in");
  command->add_option("ARGUMENTS", options->arguments, "JSON object");
  command->add_option("--answer", options->answers, "What the client answers: KEY=JSON")
      ->allow_extra_args(false);
  auto* db =
      command->add_option("--db", options->database.file, "SQLite database for gantry.data/1")
          ->type_name("FILE");
  command->add_option("--model", options->database.model, "Directory of the database's model")
      ->type_name("DIR")
      ->needs(db);
  command
      ->add_option("--builtin-plugins", options->database.plugins,
                   "Directory of the plugin that offers gantry.data/1 [this installation's]")
      ->type_name("DIR")
      ->needs(db);
  declare_surroundings(*command, options->surroundings);
  command->callback([options, &run] { run = [options] { return test(*options); }; });
}

}  // namespace gantry::cli
