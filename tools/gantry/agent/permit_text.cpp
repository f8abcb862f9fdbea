#include "tools/gantry/agent/permit_text.hpp"

#include <rapidjson/document.h>

#include "host/base/json.hpp"
#include "tools/gantry/agent/layers.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

using host::append_json_member;
using host::append_text_member;

// The layer as `agent why` names it for a real call's record, but that an absent class is hidden.
std::string layer_in(const rapidjson::Value& verdict) {
  rapidjson::Document record(rapidjson::kObjectType);
  const auto put = [&](const char* name, const char* from) {
    record.AddMember(rapidjson::StringRef(name),
                     rapidjson::Value(text_at(verdict, from).c_str(), record.GetAllocator()),
                     record.GetAllocator());
  };
  put("error_code", "error_code");
  put("denial_cause", "cause");
  const std::string layer = layer_of(record).name;
  return layer == "class_absent" ? "class_hidden" : layer;
}

}  // namespace

Result<PermitRows> permit_rows(const std::string& agent, const rapidjson::Value& answer) {
  PermitRows rows;
  const auto verdicts = answer.IsObject() ? answer.FindMember("verdicts") : answer.MemberEnd();
  if (!answer.IsObject() || verdicts == answer.MemberEnd() || !verdicts->value.IsArray() ||
      verdicts->value.Empty()) {
    return Status::failed("the host answered no verdicts");
  }
  for (const auto& verdict : verdicts->value.GetArray()) {
    if (!verdict.IsObject()) return Status::failed("the host answered no verdicts");
    PermitRow row{agent, text_at(verdict, "tool"), text_at(verdict, "class"), {}, {}};
    const auto allowed = verdict.FindMember("allowed");
    if (allowed == verdict.MemberEnd() || !allowed->value.IsTrue()) {
      row.denied_at = layer_in(verdict);
      row.reason = text_at(verdict, "reason");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string verdict_json(const PermitRow& row, bool is_named) {
  std::string out = "{";
  if (is_named) {
    append_text_member(out, "agent", row.agent);
    append_text_member(out, "tool", row.tool);
    if (!row.cls.empty()) append_text_member(out, "class", row.cls);
  }
  append_json_member(out, "allowed", row.denied_at.empty() ? "true" : "false");
  if (!row.denied_at.empty()) {
    append_text_member(out, "reason", row.reason);
    append_text_member(out, "denied_at", row.denied_at);
  }
  return out + "}";
}

std::string permit_table(const PermitRows& rows) {
  std::vector<std::vector<std::string>> cells = {{"AGENT", "TOOL", "CLASS", "VERDICT"}};
  for (const PermitRow& row : rows) {
    cells.push_back(
        {printable(row.agent), printable(row.tool), printable(row.cls),
         row.denied_at.empty() ? "permitted" : "denied at " + printable(row.denied_at)});
  }
  return table(cells);
}

}  // namespace gantry::cli
