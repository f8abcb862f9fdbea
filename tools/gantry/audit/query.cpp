#include "tools/gantry/audit/query.hpp"

#include <charconv>

#include <rapidjson/document.h>

#include "host/observe/utc.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

constexpr std::size_t kToolWidth = 22, kAgentWidth = 14, kOutcomeWidth = 20;

// 0: no unit.
long seconds_of_unit(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86400;
    default:
      return 0;
  }
}

bool is_denied(const rapidjson::Value& record) {
  const std::string code = text_at(record, "error_code");
  return code == "access_denied" || code == "permission_denied" ||
         !text_at(record, "denial_kind").empty();
}

std::string outcome_of(const rapidjson::Value& record) {
  const std::string code = text_at(record, "error_code");
  if (!code.empty()) return code;
  const auto success = record.FindMember("success");
  const bool failed = success != record.MemberEnd() && success->value.IsFalse();
  return failed ? "failed" : "ok";
}

std::string padded(std::string text, std::size_t columns) {
  text.resize(std::max(text.size(), columns), ' ');
  return text + "  ";
}

std::string number_text(const rapidjson::Value& record, const char* name) {
  const auto found = record.FindMember(name);
  return found == record.MemberEnd() || !found->value.IsNumber() ? "" : compact(found->value);
}

std::string cells(const std::string& time, const std::string& tool, const std::string& agent,
                  const std::string& outcome) {
  return padded(time, 24) + padded(tool, kToolWidth) + padded(agent, kAgentWidth) +
         padded(outcome, kOutcomeWidth);
}

// "2026-11-26", "2026-11-26T19" and so on: the begin of a time of the log.
bool is_iso(const std::string& text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd.dddZ";
  if (text.size() < 10 || text.size() > kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (text[i] == 'Z' && i + 1 == text.size()) continue;
    if (kForm[i] == 'd' ? !is_digit : text[i] != kForm[i]) return false;
  }
  return true;
}

// The whole time of which `text` is the begin.
std::string completed(std::string text) {
  constexpr std::string_view kZero = "0000-00-00T00:00:00.000Z";
  if (text.ends_with('Z')) text.pop_back();
  return text + std::string(kZero.substr(text.size()));
}

}  // namespace

Result<std::string> moment_of(const std::string& since, std::chrono::system_clock::time_point now) {
  if (is_iso(since)) return completed(since);
  long count = 0;
  const char* const end = since.data() + since.size();
  const auto [rest, error] = std::from_chars(since.data(), end, count);
  const long unit = rest + 1 == end ? seconds_of_unit(*rest) : 0;
  if (error != std::errc() || unit == 0 || count < 0 || count > 100'000'000 / unit) {
    return Status::invalid(
        "--since takes 90s, 30m, 1h, 2d or a time such as 2026-11-26T19:00, got " +
        printable(since));
  }
  return host::utc_time(now - std::chrono::seconds(count * unit));
}

bool is_wanted(const rapidjson::Value& record, const AuditQuery& query) {
  if (!query.from.empty() && text_at(record, "time") < query.from) return false;
  if (!query.tool.empty() && text_at(record, "tool") != query.tool) return false;
  if (!query.agent.empty() && text_at(record, "agent") != query.agent) return false;
  return !query.denied || is_denied(record);
}

std::string search_of(const AuditQuery& query, const std::string& cursor) {
  rapidjson::Document out(rapidjson::kObjectType);
  auto& pool = out.GetAllocator();
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      out.AddMember(rapidjson::StringRef(name), rapidjson::Value(value.c_str(), pool), pool);
    }
  };
  add("from", cursor.empty() ? query.from : "");
  add("tool", query.tool);
  add("agent", query.agent);
  add("outcome", query.denied ? "denied" : "");
  add("after", cursor);
  out.AddMember("limit", static_cast<std::uint64_t>(query.limit), pool);
  if (!cursor.empty()) out.AddMember("wait_ms", 1000, pool);
  return compact(out);
}

std::string audit_heading() {
  return cells("TIME", "TOOL", "AGENT", "OUTCOME") + "MS        BYTES\n";
}

std::string audit_line(const rapidjson::Value& record, const Color& color) {
  const std::string outcome = printable(outcome_of(record));
  const std::string line =
      cells(printable(text_at(record, "time")), printable(text_at(record, "tool")),
            printable(text_at(record, "agent")), outcome) +
      padded(number_text(record, "duration_ms"), 8) + number_text(record, "result_size");
  if (outcome == "ok") return line + "\n";
  return color.paint(is_denied(record) ? Tint::red : Tint::yellow, line) + "\n";
}

}  // namespace gantry::cli
