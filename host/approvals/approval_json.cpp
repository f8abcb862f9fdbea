#include "host/approvals/approval_json.hpp"

#include <algorithm>

#include "host/approvals/question.hpp"
#include "host/base/json.hpp"
#include "host/observe/utc.hpp"

namespace gantry::host {
namespace {

std::string seconds_text(std::chrono::milliseconds time) {
  return std::to_string(
      std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(time).count()));
}

}  // namespace

std::string approval_json(const ApprovalSeen& seen, bool content) {
  const ApprovalAsk& ask = seen.ask;
  std::string out = "{";
  append_text_member(out, "id", seen.id);
  append_text_member(out, "tool", ask.tool);
  if (!ask.title.empty()) append_text_member(out, "title", ask.title);
  append_text_member(out, "plugin", ask.plugin);
  append_text_member(out, "agent", ask.agent->name);
  if (ask.agent->user) append_text_member(out, "user", *ask.agent->user);
  append_text_member(out, "principal", ask.principal);
  append_text_member(out, "asked", utc_time(seen.asked));
  append_json_member(out, "waited_s", seconds_text(seen.waited));
  append_json_member(out, "expires_s", seconds_text(seen.left));
  if (content) {
    append_json_member(out, "arguments", visible_json(ask.arguments));
    if (!ask.preview.empty()) append_json_member(out, "preview", visible_json(ask.preview));
    put_on_one_line(out);
  }
  return out + "}";
}

std::string approvals_json(std::vector<ApprovalSeen> all) {
  std::vector<const ApprovalSeen*> sorted;
  for (const ApprovalSeen& seen : all) sorted.push_back(&seen);
  std::sort(sorted.begin(), sorted.end(), [](const ApprovalSeen* a, const ApprovalSeen* b) {
    return a->asked != b->asked ? a->asked < b->asked : a->id < b->id;
  });
  std::string out = "{\"approvals\":[";
  for (const ApprovalSeen* seen : sorted) {
    if (!out.ends_with('[')) out += ',';
    out += approval_json(*seen, false);
  }
  return out + "]}";
}

}  // namespace gantry::host
