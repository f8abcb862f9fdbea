// gantry model audit --db DB --model DIR [--json] [--strict]
#include <cstdio>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/model/audit.hpp"
#include "tools/gantry/model/model.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

constexpr const char* kAuditHelp =
    R"(Says which classes and fields have no description for agents, which entries of agent_fields and
agent_join_fields no field has, which canonical filters there are, and which fields still say "decide". Hidden
classes, those whose names begin with "_", and fields outside agent_fields are left out, except where they say
"decide": gantryd refuses the model until those are decided. Notes name what rules cost: views that they hide,
columns of tenants and access lists without an index, ids that number the rows of others too.

Exit code 0; 1: an entry is unresolvable or gantryd refuses the model for another reason; with --strict also if a
description is missing or a field is to be decided.)";

struct AuditModelOptions {
  DatabaseChoice choice;
  bool json = false, strict = false;
};

// Adds the engine's notes on the model. The error: why it refuses the model as a whole.
Status add_notes(DatabaseChoice choice, ModelAudit& audit) {
  choice.accept_drafts = true;
  const auto engine = Engine::open(choice);
  if (!engine) return engine.status();
  const auto notes = (*engine)->notes();
  if (!notes) return notes.status();
  audit.notes.insert(audit.notes.end(), notes->begin(), notes->end());
  return {};
}

int show(const AuditModelOptions& options, ModelAudit audit) {
  const Status taken = add_notes(options.choice, audit);
  const std::string text =
      options.json ? pretty(parsed(json_of(audit))) + "\n" : printable_lines(text_of(audit));
  std::fputs(text.c_str(), stdout);
  if (!audit.unresolvable_allowlist_entries.empty()) return kFailed;
  if (!taken) return complain("gantryd refuses the model: " + taken.message(), kFailed);
  const bool is_complete = audit.missing_class_descriptions.empty() &&
                           audit.missing_field_descriptions.empty() &&
                           audit.undecided_fields.empty();
  return options.strict && !is_complete ? kFailed : kDone;
}

int audit_model(const AuditModelOptions& options) {
  const auto files = read_model_files(options.choice.model);
  if (!files) return complain(files.status(), kUnusable);
  DatabaseChoice without_model = options.choice;
  without_model.model.clear();
  const auto engine = Engine::open(without_model);
  if (!engine) return complain(engine.status(), kUnusable);
  const auto classes = (*engine)->classes();
  if (!classes) return complain(classes.status(), kFailed);
  return show(options, audited(*files, *classes));
}

}  // namespace

void declare_model_audit(CLI::App& model, Run& run) {
  auto options = std::make_shared<AuditModelOptions>();
  DatabaseChoice& choice = options->choice;
  CLI::App* command = model.add_subcommand("audit", "Say what a model leaves open");
  command->footer(kAuditHelp);
  command->add_option("--db", choice.file, "SQLite database")->type_name("FILE")->required();
  command->add_option("--model", choice.model, "Directory of the model")
      ->type_name("DIR")
      ->required();
  command->add_flag("--json", options->json, "Print JSON, always with its six members");
  command->add_flag("--strict", options->strict,
                    "Exit with 1 if a description is missing or a field is to be decided");
  command
      ->add_option("--builtin-plugins", choice.plugins,
                   "Directory of the plugin that offers gantry.data/1 [this installation's]")
      ->type_name("DIR");
  command->callback([options, &run] { run = [options] { return audit_model(*options); }; });
}

}  // namespace gantry::cli
