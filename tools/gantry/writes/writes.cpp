// gantry writes list|show
#include "tools/gantry/writes/writes.hpp"

#include <CLI/CLI.hpp>

#include "host/base/json.hpp"
#include "tools/gantry/host/show.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/number.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

struct WritesOptions {
  HostChoice host;
  std::string id, agent, class_name, cursor;
  int limit = 50;
  bool json = false;
};

int list_writes(const WritesOptions& options) {
  std::string params = "{";
  host::append_json_member(params, "limit", std::to_string(options.limit));
  for (const auto& [name, value] :
       {std::pair<const char*, const std::string&>{"agent", options.agent},
        {"class_name", options.class_name},
        {"cursor", options.cursor}}) {
    if (!value.empty()) host::append_text_member(params, name, value);
  }
  return show_answer(
      options.host, {"writes.list", params + "}", options.json},
      [](const rapidjson::Value& answer) { return write_table(answer, terminal_columns()); });
}

void declare_list(CLI::App& writes, Run& run) {
  auto options = std::make_shared<WritesOptions>();
  CLI::App* command = writes.add_subcommand("list", "The writes that are kept, the newest first");
  command->add_option("--agent", options->agent, "Of this profile alone");
  command->add_option("--class", options->class_name, "To this class alone");
  command->add_option("--limit", options->limit, "How many at most, up to 1000 [50]")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  command->add_option("--cursor", options->cursor, "Go on where another list ended");
  command->add_flag("--json", options->json, "As JSON");
  declare_host(*command, options->host);
  command->callback([options, &run] { run = [options] { return list_writes(*options); }; });
}

void declare_show(CLI::App& writes, Run& run) {
  auto options = std::make_shared<WritesOptions>();
  CLI::App* command = writes.add_subcommand("show", "One write, with the rows before and after it");
  command->add_option("ID", options->id, "Of `gantry writes list`")->required();
  command->add_flag("--json", options->json, "As JSON");
  declare_host(*command, options->host);
  command->callback([options, &run] {
    run = [options] {
      return show_answer(options->host,
                         {"writes.show", object({{"id", options->id}}), options->json}, write_text);
    };
  });
}

}  // namespace

void declare_writes(CLI::App& app, Run& run) {
  CLI::App* writes =
      app.add_subcommand("writes", "What agents wrote to the database; gantry undo takes it back");
  writes->require_subcommand(1);
  declare_list(*writes, run);
  declare_show(*writes, run);
}

}  // namespace gantry::cli
