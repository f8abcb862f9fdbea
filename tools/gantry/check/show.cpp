#include "tools/gantry/check/show.hpp"

#include <algorithm>

#include <gantry/json_writer.hpp>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

const char* word(Level level) {
  if (level == Level::fault) return "fault";
  return level == Level::warning ? "warning" : "note";
}

std::size_t count(const std::vector<Outcome>& outcomes, Level level) {
  std::size_t sum = 0;
  for (const Outcome& outcome : outcomes) {
    sum += static_cast<std::size_t>(
        std::count_if(outcome.findings.begin(), outcome.findings.end(),
                      [&](const Finding& finding) { return finding.level == level; }));
  }
  return sum;
}

std::string state(const Outcome& outcome) {
  if (outcome.skipped) return "skipped";
  return outcome.ok() ? "ok     " : "FAULT  ";
}

std::string counted(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

bool all_ok(const std::vector<Outcome>& outcomes) { return count(outcomes, Level::fault) == 0; }

std::string as_text(const std::string& file, const std::vector<Outcome>& outcomes, bool notes) {
  std::string out = file + "\n";
  for (const Outcome& outcome : outcomes) {
    out += "  " + state(outcome) + "  " + outcome.check + ": " + outcome.about + "\n";
    for (const Finding& finding : outcome.findings) {
      if (finding.level == Level::note && !notes) continue;
      out += std::string("             ") + word(finding.level) + ": " + printable(finding.text) +
             "\n";
    }
  }
  const std::size_t faults = count(outcomes, Level::fault);
  out += counted(faults, "fault") + ", " + counted(count(outcomes, Level::warning), "warning");
  return out + (faults > 0 ? "; faults have to go before a host should load it\n" : "\n");
}

std::string as_json(const std::string& file, const std::vector<Outcome>& outcomes) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("file").string(file).key("ok").boolean(all_ok(outcomes));
  out.key("faults").number(count(outcomes, Level::fault));
  out.key("warnings").number(count(outcomes, Level::warning)).key("checks").begin_array();
  for (const Outcome& outcome : outcomes) {
    out.begin_object().key("name").string(outcome.check).key("about").string(outcome.about);
    out.key("ok").boolean(outcome.ok()).key("skipped").boolean(outcome.skipped);
    out.key("seconds").number(outcome.seconds).key("findings").begin_array();
    for (const Finding& finding : outcome.findings) {
      out.begin_object().key("level").string(word(finding.level));
      out.key("text").string(finding.text).end_object();
    }
    out.end_array().end_object();
  }
  out.end_array().end_object();
  return text + "\n";
}

}  // namespace gantry::cli
