// Checks of a plugin's life cycle: start, stop, remains after the end, two instances at once.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <set>

#include "sdk/contract/item_kinds.hpp"
#include "tools/gantry/check/bench.hpp"

namespace gantry::cli {
namespace {

namespace fs = std::filesystem;

// State of the process that a plugin must restore or leave unchanged.
struct Process {
  std::map<std::string, std::string> files;  // descriptor → what it is
  std::map<int, const void*> handlers;       // signal → handler
  mode_t mask = 0;
};

const void* handler_of(int signal) {
  struct sigaction action {};
  if (::sigaction(signal, nullptr, &action) != 0) return nullptr;
  return reinterpret_cast<const void*>(action.sa_handler);
}

Process process_now() {
  Process now;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", error)) {
    const fs::path target = fs::read_symlink(entry.path(), error);
    // Skips the descriptor of the listing itself.
    if (!error && target.string().find("/proc/") != 0) {
      now.files[entry.path().filename().string()] = target.string();
    }
  }
  for (int signal = 1; signal < 32; ++signal) now.handlers[signal] = handler_of(signal);
  now.mask = ::umask(0);
  ::umask(now.mask);
  return now;
}

void compare(const Process& before, const Process& after, Report& report) {
  for (const auto& [number, target] : after.files) {
    const auto known = before.files.find(number);
    if (known == before.files.end()) {
      report.fault("after destroy() a file is still open: descriptor " + number + ", " + target +
                   "; close it in stop()");
    }
  }
  for (const auto& [number, target] : before.files) {
    if (!after.files.contains(number)) {
      report.fault("it closed a file that is not its own: descriptor " + number + ", " + target);
    }
  }
  for (const auto& [signal, handler] : before.handlers) {
    if (after.handlers.at(signal) != handler) {
      report.fault("it changed the handler of signal " + std::to_string(signal) +
                   "; signals are the host's");
    }
  }
  if (before.mask != after.mask) report.fault("it changed the umask; that is the host's");
}

void list_offer(const testing::FakeHost& host, const host::Manifest& manifest, Report& report) {
  std::size_t count = 0;
  for (const contract::ItemKind& kind : contract::item_kinds()) {
    for (const std::string& name : host.items(kind.name)) {
      report.offered(kind.name, name);
      ++count;
    }
  }
  if (count == 0 && manifest.items_at_start) {
    report.fault("the manifest says \"items\":\"probe\", but start() offered nothing");
  } else if (count == 0) {
    report.warn("it offers nothing");
  }
}

}  // namespace

void check_life(const Subject& subject, Report& report) {
  std::optional<host::Library> mapped = map_or_say(subject, report);
  if (!mapped) return;
  for (int round = 0; round < 2; ++round) {
    const Process before = process_now();
    {
      const auto bench = Bench::start(subject, *mapped, report);
      if (!bench) {
        if (round > 0) report.fault("it started once, but not a second time in the same process");
        return;
      }
      if (round == 0) list_offer(bench->host(), subject.manifest, report);
      bench->finish(report);
    }
    // The first round may open things that a library keeps, such as its log file.
    if (round > 0) compare(before, process_now(), report);
  }
}

void check_unload(const Subject& subject, Report& report) {
  std::optional<host::Library> mapped = map_or_say(subject, report);
  if (!mapped) return;
  {
    const auto bench = Bench::start(subject, *mapped, report);
    if (!bench) return;
    for (const std::string& tool : bench->host().tools()) {
      const auto arguments = arguments_for(subject, bench->host(), tool);
      if (!arguments) continue;
      report.calling(tool);
      static_cast<void>(bench->host().call(tool, *arguments));
    }
    bench->finish(report);
  }
  const bool promised = subject.manifest.unloadable;
  if (!promised) return report.note("it does not promise \"unloadable\": the library stays mapped");
  if (!mapped->close()) {
    report.fault(
        "it promises \"unloadable\", but the library stays in memory after destroy(): look for "
        "thread_local objects with destructors, unique symbols and -z nodelete, or take the flag "
        "away");
  }
}

void check_side_by_side(const Subject& subject, Report& report) {
  std::optional<host::Library> mapped = map_or_say(subject, report);
  if (!mapped) return;
  const auto older = Bench::start(subject, *mapped, report);
  if (!older) return;
  const auto newer = Bench::start(subject, *mapped, report);
  if (!newer) {
    return report.fault(
        "a second instance does not start while one runs; a plugin that cannot have two says "
        "\"exclusive\" in its flags");
  }
  newer->finish(report);
  // The older instance continues unaffected.
  for (const std::string& tool : older->host().tools()) {
    const auto arguments = arguments_for(subject, older->host(), tool);
    if (!arguments) continue;
    report.calling(tool);
    static_cast<void>(older->host().call(tool, *arguments));
    break;
  }
  older->finish(report);
}

void check_self_check(const Subject& subject, Report& report) {
  with_started(subject, report, [&](testing::FakeHost& host) {
    const testing::Reply reply = host.self_check();
    if (!reply.ok()) report.fault("its self-check fails: " + reply.message);
  });
}

}  // namespace gantry::cli
