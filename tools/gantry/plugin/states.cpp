#include "tools/gantry/plugin/states.hpp"

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

void add(std::string& out, const std::string& text) {
  if (text.empty()) return;
  if (!out.empty()) out += "; ";
  out += text;
}

void add(std::string& out, std::uint64_t count, const std::string& one, const std::string& many) {
  if (count > 0) add(out, std::to_string(count) + " " + (count == 1 ? one : many));
}

std::string or_dash(std::string text) { return text.empty() ? "-" : text; }

}  // namespace

std::string remarks(const rapidjson::Value& state) {
  std::string out;
  add(out, text_at(state, "reason"));
  if (const std::string failure = text_at(state, "last_failure"); !failure.empty()) {
    add(out, "the newest file is not used: " + failure);
  }
  add(out, number_at(state, "restarts"), "restart", "restarts");
  add(out, number_at(state, "draining"), "older generation still in calls",
      "older generations still in calls");
  add(out, number_at(state, "stuck"), "older generation stuck", "older generations stuck");
  add(out, number_at(state, "abandoned_calls"), "abandoned call", "abandoned calls");
  return printable(out);
}

std::string state_table(const rapidjson::Value& answer) {
  std::vector<std::vector<std::string>> rows{
      {"NAME", "VERSION", "GENERATION", "STATE", "ISOLATION", "REMARKS"}};
  for (const auto& plugin : items(member(answer, "plugins"))) {
    const auto generation = number_at(plugin, "generation");
    // A file that was never read successfully has no plugin name.
    const std::string name = text_at(plugin, "name");
    rows.push_back({printable(or_dash(name.empty() ? text_at(plugin, "file") : name)),
                    printable(or_dash(text_at(plugin, "version"))),
                    generation == 0 ? "-" : std::to_string(generation),
                    printable(text_at(plugin, "state")), printable(text_at(plugin, "isolation")),
                    remarks(plugin)});
  }
  return rows.size() == 1 ? "no plugins\n" : table(rows);
}

}  // namespace gantry::cli
