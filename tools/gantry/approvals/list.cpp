// gantry approvals list [--watch]
#include <cstdio>
#include <set>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/approvals/approvals.hpp"
#include "tools/gantry/dev/stop.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

constexpr std::chrono::seconds kEvery{1};

struct ListOptions {
  HostChoice host;
  bool json = false, watch = false;
};

// The approvals of `answer` that are not in `known`, which gets them and loses those that are gone.
std::vector<std::string> fresh(const rapidjson::Value& answer, std::set<std::string>& known) {
  std::set<std::string> now;
  std::vector<std::string> ids;
  for (const auto& one : items(member(answer, "approvals"))) {
    const std::string id = text_at(one, "id");
    if (!known.contains(id)) ids.push_back(id);
    now.insert(id);
  }
  known.swap(now);
  return ids;
}

// Shows each call once, from the moment that it waits, until Ctrl-C, or until they have no reader.
int watch(const ListOptions& options, Host& host) {
  const Stop stop;
  std::set<std::string> known;
  for (;;) {
    const auto answer = host.ask("approval.list", "{}");
    if (!answer) return complain(answer.status(), exit_code(answer.status()));
    for (const std::string& id : fresh(parsed(*answer), known)) {
      const auto one = host.ask("approval.show", object({{"id", id}}));
      if (!one) continue;  // decided meanwhile
      const auto document = parsed(*one);
      const std::string text = options.json ? compact(document) + "\n"
                                            : printable(id) + "\n" + approval_text(document) + "\n";
      std::fputs(text.c_str(), stdout);
    }
    std::fflush(stdout);
    if (wait_for(-1, stop, kEvery) == Woken::stopped || reader_left()) return kDone;
  }
}

int list_approvals(const ListOptions& options) {
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  if (options.watch) return watch(options, **host);
  const auto answer = (*host)->ask("approval.list", "{}");
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto document = parsed(*answer);
  std::fputs((options.json ? pretty(document) + "\n" : approval_table(document)).c_str(), stdout);
  return kDone;
}

}  // namespace

void declare_approvals_list(CLI::App& approvals, Run& run) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = approvals.add_subcommand("list", "The calls that wait");
  command->add_flag("--json", options->json, "As JSON");
  command->add_flag("--watch", options->watch,
                    "Show each call when it begins to wait, until Ctrl-C");
  declare_host(*command, options->host);
  command->callback([options, &run] { run = [options] { return list_approvals(*options); }; });
}

}  // namespace gantry::cli
