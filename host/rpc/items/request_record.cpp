#include "host/rpc/items/request_record.hpp"

#include <optional>
#include <vector>

#include <rapidjson/document.h>

#include "host/base/json.hpp"
#include "host/observe/audit.hpp"
#include "host/rpc/core.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::size_t kMaxLogged = 128;  // of a name that the caller wrote

// Empty for none.
std::string list_of(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string out = "[";
  for (const std::string& name : names) {
    if (out.size() > 1) out += ',';
    append_json_string(out, name);
  }
  return out + "]";
}

// An empty allow list allows nothing, so it is recorded.
std::string list_of(const std::optional<std::vector<std::string>>& names) {
  if (!names) return {};
  return names->empty() ? "[]" : list_of(*names);
}

// The metrics' label: a tool's name; for other items their kind.
std::string_view label_of(const ItemRequestParts& parts) {
  if (parts.method == "tools/call") return parts.item_key;
  if (parts.method == "prompts/get") return "(prompt)";
  return parts.method == "resources/read" ? "(resource)" : "(completion)";
}

}  // namespace

std::string_view code_of(const ItemAnswer& answer, bool is_tool) {
  switch (answer.kind) {
    case ItemAnswer::Kind::unknown_item:
      return is_tool ? "unknown_tool" : "not_found";
    case ItemAnswer::Kind::busy:
      return "busy";
    case ItemAnswer::Kind::internal:
      return "internal_error";
    case ItemAnswer::Kind::result:
      return answer.is_error ? "tool_error" : "";
    case ItemAnswer::Kind::missing_capability:
      return "missing_capability";
    default:
      return answer.error_code;
  }
}

std::string denial_of(const ItemAnswer& answer) {
  if (answer.details.empty()) return {};
  rapidjson::Document details;
  details.Parse<rapidjson::kParseIterativeFlag>(answer.details.data(), answer.details.size());
  if (details.HasParseError()) return {};
  return std::string(text_of(member(&details, "kind")).value_or("").substr(0, kMaxLogged));
}

void record_end(Core& core, const ItemRequestParts& parts, const RequestEnd& end) {
  if (!core.log.records()) return;
  const Agent& agent = *parts.agent;
  const std::string only[] = {list_of(agent.classes.only), list_of(agent.tools.only)};
  const std::string except[] = {list_of(agent.classes.except), list_of(agent.tools.except)};
  write_audit(
      core.log,
      {.tool = std::string_view(parts.name).substr(0, kMaxLogged),
       .plugin = parts.plugin,
       .generation = parts.generation,
       .args_keys = parts.args_keys,
       .agent = {.name = agent.name,
                 .id = agent.principal.empty() ? parts.principal : agent.principal,
                 .depth = agent.depth,
                 .auth_type = parts.auth_type,
                 .master = !agent.user && agent.roles.empty(),
                 .permissions = tier_name(agent.tier),
                 .tenant = agent.tenant_id ? *agent.tenant_id : std::string_view(),
                 .classes_only = only[0],
                 .classes_except = except[0],
                 .tools_only = only[1],
                 .tools_except = except[1]},
       .outcome = {.ran = end.ran,
                   .success = end.code.empty(),
                   .error_code = end.code,
                   .denial_kind = end.denial,
                   .bytes = end.bytes,
                   .duration_ms = std::chrono::duration<double, std::milli>(end.took).count()},
       .correlation_id = parts.correlation_id});
}

void record_answer(Core& core, const ItemRequestParts& parts, const RequestEnd& end) {
  core.metrics.call_answered(label_of(parts), end.code, end.took);
  record_end(core, parts, end);
}

}  // namespace gantry::host::rpc
