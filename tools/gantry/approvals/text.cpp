#include <vector>

#include "tools/gantry/approvals/approvals.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/listing.hpp"

namespace gantry::cli {
namespace {

std::string seconds_at(const rapidjson::Value& approval, const char* name) {
  const std::uint64_t seconds = number_at(approval, name);
  const std::string rest = std::to_string(seconds % 60);
  return std::to_string(seconds / 60) + ":" + (rest.size() < 2 ? "0" : "") + rest;
}

void add_json(std::string& out, const char* heading, const rapidjson::Value& approval,
              const char* name) {
  const auto* json = find_member(approval, name);
  if (json == nullptr) return;
  out.append(heading).append(":\n").append(printable_lines(pretty(*json))) += '\n';
}

}  // namespace

std::string approval_table(const rapidjson::Value& answer) {
  const Listing listing{"approvals",
                        "no call waits for approval",
                        {"ID", "TOOL", "AGENT", "ASKED", "EXPIRES"},
                        [](const rapidjson::Value& one) -> std::vector<std::string> {
                          return {text_at(one, "id"), text_at(one, "tool"), agent_text(one),
                                  seconds_at(one, "waited_s") + " ago",
                                  "in " + seconds_at(one, "expires_s")};
                        }};
  return listing_table(answer, listing, 0);
}

std::string approval_text(const rapidjson::Value& approval) {
  std::string out = printable(text_at(approval, "tool")) + ", " + printable(agent_text(approval)) +
                    ", asked " + seconds_at(approval, "waited_s") + " ago, expires in " +
                    seconds_at(approval, "expires_s") + "\n";
  out += "Credential: " + printable(text_at(approval, "principal")) + "\n";
  add_json(out, "Arguments", approval, "arguments");
  add_json(out, "What it would do", approval, "preview");
  return out;
}

}  // namespace gantry::cli
