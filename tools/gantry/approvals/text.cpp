#include <vector>

#include "tools/gantry/approvals/approvals.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

std::string agent_text(const rapidjson::Value& approval) {
  const std::string user = text_at(approval, "user");
  return text_at(approval, "agent") + (user.empty() ? "" : " for " + user);
}

std::string seconds_at(const rapidjson::Value& approval, const char* name) {
  const std::uint64_t seconds = number_at(approval, name);
  const std::string rest = std::to_string(seconds % 60);
  return std::to_string(seconds / 60) + ":" + (rest.size() < 2 ? "0" : "") + rest;
}

void add_json(std::string& out, const char* heading, const rapidjson::Value& approval,
              const char* name) {
  if (!approval.IsObject() || !approval.HasMember(name)) return;
  out.append(heading).append(":\n").append(printable_lines(pretty(approval[name]))) += '\n';
}

}  // namespace

std::string approval_table(const rapidjson::Value& answer) {
  std::vector<std::vector<std::string>> rows{{"ID", "TOOL", "AGENT", "ASKED", "EXPIRES"}};
  if (answer.IsObject() && answer.HasMember("approvals") && answer["approvals"].IsArray()) {
    for (const auto& one : answer["approvals"].GetArray()) {
      rows.push_back({printable(text_at(one, "id")), printable(text_at(one, "tool")),
                      printable(agent_text(one)), seconds_at(one, "waited_s") + " ago",
                      "in " + seconds_at(one, "expires_s")});
    }
  }
  return rows.size() == 1 ? "no call waits for approval\n" : table(rows);
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
