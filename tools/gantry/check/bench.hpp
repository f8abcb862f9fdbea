// tools/gantry/check/bench.hpp (private): the bodies of the checks, and the code they share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tools/gantry/check/report.hpp"
#include "tools/gantry/check/subject.hpp"

namespace gantry::cli {

// The plugin in a fake host; violations go to the report.
class Bench {
 public:
  // Nothing when it cannot be loaded or does not start; the report says why.
  static std::unique_ptr<Bench> start(const Subject& subject, const host::Library& mapped,
                                      Report& report);

  testing::FakeHost& host() { return host_; }
  // Calls stop() and destroy(), and reports their violations.
  void finish(Report& report);

 private:
  Bench(const Subject& subject, const host::Library& mapped, Report& report);
  testing::FakeHost host_;
};

// The mapped library; empty after reporting a fault.
std::optional<host::Library> map_or_say(const Subject& subject, Report& report);

// Loads and starts, and hands the fake host to `work`.
template <class Work>
void with_started(const Subject& subject, Report& report, Work work) {
  std::optional<host::Library> mapped = map_or_say(subject, report);
  if (!mapped) return;
  const auto bench = Bench::start(subject, *mapped, report);
  if (!bench) return;
  work(bench->host());
  bench->finish(report);
}

// Arguments for a call of the tool: the author's, or the smallest that satisfy its schema. Empty
// when none can be generated.
std::optional<std::string> arguments_for(const Subject& subject, const testing::FakeHost& host,
                                         std::string_view tool);

void check_life(const Subject& subject, Report& report);
void check_unload(const Subject& subject, Report& report);
void check_side_by_side(const Subject& subject, Report& report);
void check_self_check(const Subject& subject, Report& report);
void check_unknown(const Subject& subject, Report& report);
void check_cancel(const Subject& subject, Report& report);
void check_stop(const Subject& subject, Report& report);
void check_reentrant(const Subject& subject, Report& report);
void check_item(const Subject& subject, std::string_view kind, std::string_view name,
                Report& report);

}  // namespace gantry::cli
