// gantry plugin check FILE: checks the contract's rules, each in its own process.
#include <algorithm>
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "tools/gantry/check/checks.hpp"
#include "tools/gantry/check/options.hpp"
#include "tools/gantry/check/runner.hpp"
#include "tools/gantry/check/show.hpp"
#include "tools/gantry/plugin/plugin.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

constexpr const char* kCheckFooter =
    R"(Each check runs in a process of its own, with a host that is played: a crash, an exit() or a hang costs
that check only. Tools are called with the least arguments that satisfy their input schema; services of other
plugins are not there. Faults must be fixed, warnings will hurt. Exit code 0: no fault, 1: faults.

Try:  gantry plugin check build/word-count.so --config '{"path":"/tmp"}' --arguments 'search={"q":"x"}')";

struct CheckOptions {
  std::string file, one, only;
  SurroundingOptions surroundings;
  bool json = false, verbose = false;
};

// Runs in the process of one check.
int run_here(const CheckOptions& options, const Surroundings& surroundings) {
  Report report(kReportDescriptor);
  const auto subject = read_subject(options.file, surroundings);
  if (!subject) {
    report.fault(subject.message());
  } else if (!run_one(options.one, *subject, report)) {
    report.fault("there is no such check");
  }
  report.done();
  return kDone;
}

class Suite {
 public:
  explicit Suite(const CheckOptions& options) : options_(options) {}

  std::vector<Outcome> run(const Surroundings& surroundings) {
    std::vector<Outcome> all{check_file(options_.file, surroundings)};
    if (!all.front().ok()) return all;
    const auto subject = read_subject(options_.file, surroundings);
    if (!subject) return all;
    bool starts = true;
    std::vector<Check> checks = plugin_checks(*subject);
    for (std::size_t i = 0; i < checks.size(); ++i) {
      if (!wanted(checks[i])) continue;
      all.push_back(starts ? one(checks[i]) : skipped(checks[i]));
      if (checks[i].name != "life") continue;
      starts = all.back().ok() || !all.back().offered.empty();
      const auto items = item_checks(all.back().offered);
      checks.insert(checks.end(), items.begin(), items.end());
    }
    return all;
  }

 private:
  bool wanted(const Check& check) const {
    return options_.only.empty() || check.name == "life" || check.name == options_.only;
  }
  Outcome one(const Check& check) const {
    std::vector<std::string> words{"plugin", "check", "--one", check.name};
    const auto more = options_.surroundings.words();
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", options_.file});
    return run_check(check, words, options_.surroundings.seconds);
  }
  static Outcome skipped(const Check& check) {
    Outcome outcome{check.name, check.about, {}, {}, 0, true};
    outcome.findings.push_back({Level::note, "life has to pass first"});
    return outcome;
  }

  const CheckOptions& options_;
};

int check(const CheckOptions& options) {
  const auto surroundings = read_surroundings(options.surroundings);
  if (!surroundings) return complain(surroundings.status(), kUnusable);
  if (!options.one.empty()) return run_here(options, *surroundings);
  const auto outcomes = Suite(options).run(*surroundings);
  const std::string text = options.json ? visible_json(as_json(options.file, outcomes))
                                        : as_text(options.file, outcomes, options.verbose);
  std::fputs(text.c_str(), stdout);
  return all_ok(outcomes) ? kDone : kFailed;
}

}  // namespace

void declare_plugin_check(CLI::App& plugin, Run& run) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      plugin.add_subcommand("check", "Test a plugin's file against the rules of the contract");
  command->footer(kCheckFooter);
  command->add_option("FILE", options->file, "The plugin's .so")->required();
  declare_surroundings(*command, options->surroundings);
  command->add_option("--only", options->only, "One check by its name, beside file and life");
  command->add_flag("--json", options->json, "As JSON");
  command->add_flag("--verbose", options->verbose, "Notes too");
  command->add_option("--one", options->one, "")->group("");
  command->callback([options, &run] { run = [options] { return check(*options); }; });
}

}  // namespace gantry::cli
