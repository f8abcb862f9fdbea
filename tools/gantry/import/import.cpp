// gantry import FILE --class C --db DB
#include "tools/gantry/import/import.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>

#include "store/writer.hpp"
#include "tools/gantry/dev/stop.hpp"
#include "tools/gantry/import/job.hpp"
#include "tools/gantry/text/number.hpp"
#include "write/names.hpp"

namespace gantry::cli {
namespace {

using importing::Format;

struct ImportOptions {
  importing::Job job;
  std::string format, delimiter;
  std::vector<std::string> types, pointers, left_out;
  double wait_seconds = 30;
};

constexpr const char* kImportFooter =
    R"(A new class is a STRICT table with a key, createdAt and updatedAt; the whole file decides what its
columns hold. The key is objectId, _id or id, else an objectId is made. In a class that is there
already, fields go into the columns of their names.

Either every row is imported or none; rows that are refused are told with their reason. A gantryd
that serves the database may go on running.

Try:  gantry import people.csv --class people --db demo.db
      gantry import orders.csv --class orders --db demo.db --pointer customer_id=customers
      zcat orders.jsonl.gz | gantry import - --format jsonl --class orders --db new.db --create
      gantry import Post.json --format parse --class Post --db blog.db)";

const std::map<std::string, Format> kFormats{{"json", Format::json},
                                             {"jsonl", Format::jsonl},
                                             {"csv", Format::csv},
                                             {"parse", Format::parse}};

const std::map<std::string, importing::Form> kTypes{
    {"text", importing::Form::text},     {"integer", importing::Form::integer},
    {"number", importing::Form::number}, {"boolean", importing::Form::boolean},
    {"date", importing::Form::date_ms},  {"json", importing::Form::any_json}};

Status read_format(ImportOptions& options) {
  std::string said = options.format;
  const std::string ending = std::filesystem::path(options.job.file).extension().string();
  if (said.empty() && (ending == ".json" || ending == ".jsonl" || ending == ".csv")) {
    said = ending.substr(1);
  }
  if (said.empty() && ending == ".ndjson") said = "jsonl";
  if (said.empty() && ending == ".tsv") said = "csv";
  if (said.empty()) {
    return Status::invalid("say what " + options.job.file +
                           " is: --format json, jsonl, csv or parse");
  }
  options.job.format = kFormats.at(said);
  if (options.delimiter.empty() && ending == ".tsv") options.delimiter = "tab";
  return {};
}

Status read_delimiter(ImportOptions& options) {
  const std::string& said = options.delimiter;
  if (said.empty()) return {};
  if (options.job.format != Format::csv) return Status::invalid("--delimiter is for CSV");
  const bool is_tab = said == "tab" || said == "\\t";
  options.job.delimiter = is_tab ? '\t' : said[0];
  const bool is_one = said.size() == 1 || is_tab;
  if (!is_one || said == "\"" || said == "\n" || said == "\r") {
    return Status::invalid("--delimiter is one character, or tab");
  }
  return {};
}

Status read_types(ImportOptions& options) {
  for (const std::string& said : options.types) {
    const auto at = said.rfind('=');
    const auto form = at == std::string::npos ? kTypes.end() : kTypes.find(said.substr(at + 1));
    if (form == kTypes.end()) {
      return Status::invalid("--type " + said +
                             " is no FIELD=TYPE with text, integer, number, boolean, date or json");
    }
    options.job.wishes.forms[said.substr(0, at)] = form->second;
  }
  options.job.wishes.left_out.insert(options.left_out.begin(), options.left_out.end());
  return {};
}

Status read_pointers(ImportOptions& options) {
  for (const std::string& said : options.pointers) {
    const auto at = said.rfind('=');
    if (at == std::string::npos || at == 0 || at + 1 == said.size()) {
      return Status::invalid("--pointer " + said + " is no FIELD=CLASS");
    }
    options.job.wishes.pointers[said.substr(0, at)] = said.substr(at + 1);
  }
  return {};
}

Status read_database(ImportOptions& options) {
  auto path = data::database_file(options.job.database);
  if (!path) return path.status();
  options.job.database = *std::move(path);
  return data::write::check_name("class", options.job.name);
}

Status read_document(const ImportOptions& options) {
  const importing::Job& job = options.job;
  if (job.document.empty()) return {};
  if (job.format == Format::csv) {
    return Status::invalid("CSV has columns, not documents; leave --document out");
  }
  const bool has_fields = !job.wishes.id.empty() || !options.types.empty() ||
                          !options.pointers.empty() || !options.left_out.empty() ||
                          job.skip_unknown;
  if (has_fields) {
    return Status::invalid(
        "--document keeps each object whole; --id, --type, --pointer, --skip and "
        "--skip-unknown are for columns");
  }
  return data::write::check_name("field", job.document);
}

Status read(ImportOptions& options) {
  for (const auto step : {read_format, read_delimiter, read_types, read_pointers, read_database}) {
    if (Status status = step(options); !status) return status;
  }
  options.job.wait = std::chrono::milliseconds(static_cast<long>(options.wait_seconds * 1000));
  return read_document(options);
}

void say_done(const importing::Job& job, const importing::Outcome& outcome) {
  std::printf("Imported %zu row%s into the %sclass %s of %s.\n", outcome.taken,
              outcome.taken == 1 ? "" : "s", outcome.is_new ? "new " : "", job.name.c_str(),
              job.database.c_str());
  if (outcome.refused > 0) {
    std::printf("%zu refused row%s left out.\n", outcome.refused,
                outcome.refused == 1 ? " was" : "s were");
  }
  for (const std::string& remark : outcome.remarks) std::printf("%s\n", remark.c_str());
  for (const std::string& name : outcome.absent) {
    std::printf("Its pointers to %s stay plain text until the class %s is imported too.\n",
                name.c_str(), name.c_str());
  }
}

int import_file(ImportOptions options) {
  if (Status status = read(options); !status) return complain(status, kUnusable);
  // Before anything else takes its descriptor.
  if (options.job.file == "-" && ::fcntl(STDIN_FILENO, F_GETFD) < 0) {
    return complain(Status::invalid("standard input is closed"), kUnusable);
  }
  const Stop stop;
  importing::Progress progress(::isatty(STDERR_FILENO) != 0);
  const importing::Surroundings around{
      progress, [&] { return stop.told(); },
      [&] { return wait_for(STDIN_FILENO, stop, std::chrono::milliseconds(-1)) != Woken::stopped; },
      [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }};
  const auto outcome = importing::run(options.job, around);
  progress.clear();
  if (outcome) return say_done(options.job, *outcome), kDone;
  const bool is_said_wrong = outcome.status().code() == GANTRY_INVALID_ARGUMENT ||
                             outcome.status().code() == GANTRY_NOT_FOUND;
  return complain(outcome.status(), is_said_wrong ? kUnusable : kFailed);
}

void declare_where(CLI::App& command, ImportOptions& options) {
  importing::Job& job = options.job;
  command.add_option("FILE", job.file, "What to import; - is standard input")->required();
  command.add_option("--class", job.name, "The class, new or there already")
      ->type_name("NAME")
      ->required();
  command.add_option("--db", job.database, "The SQLite file")->type_name("FILE")->required();
  command.add_flag("--create", job.create, "Make the SQLite file where there is none");
  command
      .add_option("--wait", options.wait_seconds, "How long to wait for locks, up to 86400 [30]")
      ->type_name("SECONDS")
      ->check(seconds_up_to(86400));
}

void declare_what(CLI::App& command, ImportOptions& options) {
  importing::Job& job = options.job;
  command
      .add_option("--format", options.format,
                  "json (an array), jsonl, csv or parse (an export) [by the file's ending]")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"json", "jsonl", "csv", "parse"}));
  command.add_option("--delimiter", options.delimiter, "What separates CSV's values, or tab [,]")
      ->type_name("CHARACTER");
  command
      .add_option("--document", job.document,
                  "Keep each object whole, as relaxed Extended JSON in this column")
      ->type_name("COLUMN");
  command.add_option("--id", job.wishes.id, "The field that is a new class's key")
      ->type_name("FIELD");
  command
      .add_option(
          "--type", options.types,
          "What a new column holds: text, integer, number, boolean, date or json; repeatable")
      ->type_name("FIELD=TYPE")
      ->allow_extra_args(false);
  command
      .add_option("--pointer", options.pointers,
                  "A field that holds the keys of a class; repeatable")
      ->type_name("FIELD=CLASS")
      ->allow_extra_args(false);
}

void declare_how(CLI::App& command, ImportOptions& options) {
  importing::Job& job = options.job;
  command.add_option("--skip", options.left_out, "Leave this field out; repeatable")
      ->type_name("FIELD")
      ->allow_extra_args(false);
  command.add_flag("--skip-unknown", job.skip_unknown,
                   "Leave fields out that the class has no column for");
  command.add_flag("--skip-invalid", job.skip_invalid,
                   "Leave rows out that are refused, and import the others");
  command.add_option("--show", job.shown, "How many refused rows to tell of [10]")
      ->type_name("N")
      ->check(whole_number(0));
}

}  // namespace

void declare_import(CLI::App& app, Run& run) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app.add_subcommand(
      "import", "Put the rows of a JSON, JSONL, CSV or Parse export into a class of a database");
  command->footer(kImportFooter);
  declare_where(*command, *options);
  declare_what(*command, *options);
  declare_how(*command, *options);
  command->callback([options, &run] { run = [options] { return import_file(*options); }; });
}

}  // namespace gantry::cli
