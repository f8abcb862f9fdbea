// gantry agent why ID
#include <cstdio>
#include <memory>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/agent/agent.hpp"
#include "tools/gantry/agent/layers.hpp"
#include "tools/gantry/audit/audit_files.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

constexpr std::size_t kMostFailures = 20;

struct WhyOptions {
  HostChoice host;
  std::string id, file;
  bool json = false;
};

using FailedCalls = std::vector<rapidjson::Document>;

Result<FailedCalls> ask_host(const WhyOptions& options) {
  auto host = find_host(options.host);
  if (!host) return host.status();
  const auto answer = (*host)->ask("audit.find", object({{"id", options.id}}));
  if (!answer) return answer.status();
  const auto document = parsed(*answer);
  FailedCalls out;
  if (!member(document, "records").IsArray()) {
    return Status::failed("the host answered no records");
  }
  for (const auto& record : document["records"].GetArray()) {
    if (record.IsObject()) out.emplace_back().CopyFrom(record, out.back().GetAllocator());
  }
  return out;
}

// "name value", or empty.
std::string named_fact(const rapidjson::Value& record, const char* name) {
  const std::string value = text_at(record, name);
  return value.empty() ? "" : std::string(", ") + name + " " + printable(value);
}

// Adds the layer to the record, for --json.
void add_layer(rapidjson::Document& record) {
  const std::string layer = layer_of(record).name;
  record.AddMember("denied_at", rapidjson::Value(layer.c_str(), record.GetAllocator()),
                   record.GetAllocator());
}

std::string failure_told(const rapidjson::Value& record) {
  const Layer layer = layer_of(record);
  const std::string agent = printable(text_at(record, "agent"));
  return text_at(record, "time") + "  " + printable(text_at(record, "tool")) + ": refused at " +
         printable(layer.name) + "\n  " + printable(layer.sentence) + "\n  agent " + agent +
         named_fact(record, "agent_id") + named_fact(record, "permissions") +
         named_fact(record, "tenant") + "\n  error_code " +
         printable(text_at(record, "error_code")) + named_fact(record, "denial_kind") +
         named_fact(record, "denial_cause") + named_fact(record, "plugin") + "\n";
}

int why(const WhyOptions& options) {
  auto records = options.file.empty() ? ask_host(options)
                                      : failed_calls(options.file, options.id, kMostFailures);
  if (!records) return complain(records.status(), exit_code(records.status()));
  if (records->empty()) {
    return complain(
        "no failed call has the correlation id or audit id '" + printable(options.id) + "'; " +
            (options.file.empty()
                 ? "the host remembers the latest 1024, --file FILE reads its audit.file"
                 : options.file + " and its rotated files were read"),
        kFailed);
  }
  for (auto& record : *records) {
    if (options.json) add_layer(record);
    std::fputs((options.json ? compact(record) + "\n" : failure_told(record)).c_str(), stdout);
  }
  return kDone;
}

}  // namespace

void declare_agent_why(CLI::App& agent, Run& run) {
  auto options = std::make_shared<WhyOptions>();
  CLI::App* command = agent.add_subcommand(
      "why", "The layer that refused a call, which the caller is not told; for operators");
  command
      ->add_option("ID", options->id,
                   "The call's correlation id, such as a session's or a trace's, or its audit id")
      ->required();
  command->add_option("--file", options->file, "Read this audit file and its rotated files instead")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Whole records, one a line, with denied_at");
  declare_host(*command, options->host);
  command->callback([options, &run] { run = [options] { return why(*options); }; });
}

}  // namespace gantry::cli
