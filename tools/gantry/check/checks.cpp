#include "tools/gantry/check/checks.hpp"

#include <algorithm>
#include <array>

#include "tools/gantry/check/bench.hpp"

namespace gantry::cli {
namespace {

using Body = void (*)(const Subject&, Report&);

struct Entry {
  const char* name;
  const char* about;
  Body body;
};

// In the order of the report; "life" first.
constexpr std::array<Entry, 8> kChecks{{
    {"life", "create, start, stop and destroy, twice, and nothing is left behind", check_life},
    {"unload", "the library leaves memory after destroy, if it promises so", check_unload},
    {"side-by-side", "two instances at once, as while one replaces the other", check_side_by_side},
    {"self-check", "its own self-check passes", check_self_check},
    {"unknown", "unknown kinds and names are answered as the contract says", check_unknown},
    {"cancel", "cancelled calls end", check_cancel},
    {"stop", "stop() ends what is pending", check_stop},
    {"reentrant", "many threads at once, if it promises so", check_reentrant},
}};

constexpr std::array<std::string_view, 8> kHostServices{
    "gantry.call/1",  "gantry.catalog/1", "gantry.config/1", "gantry.events/1",
    "gantry.input/1", "gantry.invoke/1",  "gantry.secret/1", "gantry.task/1"};

void look_at_needs(const host::Manifest& manifest, Outcome& outcome) {
  for (const std::string& need : manifest.needs) {
    const bool ours =
        std::find(kHostServices.begin(), kHostServices.end(), need) != kHostServices.end();
    if (ours) continue;
    if (need.starts_with("gantry.") && !need.starts_with("gantry.data/")) {
      outcome.findings.push_back(
          {Level::fault, "needs names " + need +
                             ", which no host of this version has; put it into "
                             "\"wants\" and do without, or take it out"});
    } else {
      outcome.findings.push_back(
          {Level::note, "needs " + need + " of another plugin; here it is not there"});
    }
  }
  const auto& needs = manifest.needs;
  if (std::find(needs.begin(), needs.end(), "gantry.call/1") == needs.end()) {
    outcome.findings.push_back(
        {Level::warning,
         "needs does not name gantry.call/1, without which nothing can be answered"});
  }
}

}  // namespace

Outcome check_file(const std::filesystem::path& file, const Surroundings& surroundings) {
  Outcome outcome{"file", "ELF, the one symbol, note, manifest and schemas", {}, {}, {}, 0, false};
  const auto subject = read_subject(file, surroundings);
  if (!subject) {
    outcome.findings.push_back({Level::fault, subject.message()});
    return outcome;
  }
  for (const std::string& text : subject->look.warnings()) {
    // A pinned library breaks the promise to be unloadable.
    const bool broken = subject->manifest.unloadable && text.find("never be unloaded") != text.npos;
    outcome.findings.push_back({broken ? Level::fault : Level::warning, "it " + text});
  }
  for (const std::string& text : subject->manifest.warnings) {
    outcome.findings.push_back({Level::warning, "the manifest: " + text});
  }
  look_at_needs(subject->manifest, outcome);
  return outcome;
}

std::vector<Check> plugin_checks(const Subject& subject) {
  std::vector<Check> out;
  for (const Entry& entry : kChecks) {
    const std::string_view name = entry.name;
    const auto& manifest = subject.manifest;
    if (name == "self-check" && !manifest.has_self_check) continue;
    if (name == "reentrant" && !manifest.reentrant) continue;
    if (name == "side-by-side" && manifest.exclusive) continue;
    out.push_back({entry.name, entry.about});
  }
  return out;
}

std::vector<Check> item_checks(const std::vector<Offered>& offered) {
  std::vector<Check> out;
  for (const Offered& item : offered) {
    if (item.kind == "tool") {
      out.push_back({"tool:" + item.name, "a call with the least valid arguments"});
    } else if (item.kind == "prompt" || item.kind == "resource") {
      out.push_back({item.kind + ":" + item.name, "an answer of the right form"});
    }
  }
  return out;
}

bool run_one(std::string_view check, const Subject& subject, Report& report) {
  const auto colon = check.find(':');
  if (colon != std::string_view::npos) {
    check_item(subject, check.substr(0, colon), check.substr(colon + 1), report);
    return true;
  }
  for (const Entry& entry : kChecks) {
    if (check != entry.name) continue;
    entry.body(subject, report);
    return true;
  }
  return false;
}

}  // namespace gantry::cli
