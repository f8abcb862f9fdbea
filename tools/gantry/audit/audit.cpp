// gantry audit
#include "tools/gantry/audit/audit.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/audit/audit_files.hpp"
#include "tools/gantry/audit/query.hpp"
#include "tools/gantry/dev/stop.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/number.hpp"
#include "tools/gantry/text/pager.hpp"

namespace gantry::cli {
namespace {

struct AuditOptions {
  HostChoice host;
  AuditQuery query;
  std::string since, file;
  Color color;
  bool json = false, follow = false;
};

std::string text_of(const AuditOptions& options, const rapidjson::Value& record) {
  return options.json ? compact(record) + "\n" : audit_line(record, options.color);
}

bool has_records(const rapidjson::Value& answer) { return member(answer, "records").IsArray(); }

int show_file(const AuditOptions& options) {
  const auto records = latest_records(
      options.file, options.query.limit,
      [&options](const rapidjson::Value& record) { return is_wanted(record, options.query); });
  if (!records) return complain(records.status(), kUnusable);
  std::string text = options.json ? "" : audit_heading();
  for (auto it = records->rbegin(); it != records->rend(); ++it) text += text_of(options, *it);
  show_paged(text);
  return kDone;
}

// Shows records as they come, until Ctrl-C, or until they have no reader.
int follow(const AuditOptions& options, Host& host, std::string cursor) {
  const Stop stop;
  while (!stop.told() && !reader_left()) {
    const auto answer = host.ask("audit.search", search_of(options.query, cursor));
    if (!answer) return complain(answer.status(), exit_code(answer.status()));
    const auto document = parsed(*answer);
    if (!has_records(document)) return complain("the host answered no records", kFailed);
    for (const auto& record : document["records"].GetArray()) {
      std::fputs(text_of(options, record).c_str(), stdout);
    }
    std::fflush(stdout);
    cursor = text_at(document, "cursor");
  }
  return kDone;
}

int show_host(const AuditOptions& options) {
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  const auto answer = (*host)->ask("audit.search", search_of(options.query));
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto document = parsed(*answer);
  if (!has_records(document)) return complain("the host answered no records", kFailed);
  std::string text = options.json ? "" : audit_heading();
  const auto records = document["records"].GetArray();
  for (auto it = records.End(); it != records.Begin();) text += text_of(options, *--it);
  if (!options.follow) {
    show_paged(text);
    return kDone;
  }
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  return follow(options, **host, text_at(document, "cursor"));
}

int run_audit(AuditOptions options) {
  if (!options.since.empty()) {
    const auto from = moment_of(options.since, std::chrono::system_clock::now());
    if (!from) return complain(from.status(), kUnusable);
    options.query.from = *from;
  }
  return options.file.empty() ? show_host(options) : show_file(options);
}

}  // namespace

void declare_audit(CLI::App& app, Run& run) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App* command = app.add_subcommand("audit", "The records of calls, the newest last");
  command->add_option("--since", options->since, "Not older than 90s, 30m, 1h, 2d, or this time")
      ->type_name("TIME");
  command->add_option("--tool", options->query.tool, "Of this tool")->type_name("TOOL");
  command->add_option("--agent", options->query.agent, "Of this profile")->type_name("NAME");
  command->add_flag("--denied", options->query.denied, "Only calls that the rules refused");
  command->add_option("--limit", options->query.limit, "At most so many, up to 1000 [100]")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  auto* file = command->add_option("--file", options->file,
                                   "Read this audit file and its rotated files; needs no host");
  file->type_name("FILE");
  command->add_flag("--follow", options->follow, "Then show each record as it comes, until Ctrl-C")
      ->excludes(file);
  command->add_flag("--json", options->json, "Whole records, one a line");
  Color::declare(*command, options->color);
  declare_host(*command, options->host);
  command->footer(
      "A host keeps the latest records in memory, and all of them where audit.file is "
      "configured.\n\n"
      "Try:  gantry audit --since 1h --denied\n"
      "      gantry audit --follow --agent sales");
  command->callback([options, &run] { run = [options] { return run_audit(*options); }; });
}

}  // namespace gantry::cli
