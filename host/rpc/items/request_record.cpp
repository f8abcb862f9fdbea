#include "host/rpc/items/request_record.hpp"

#include <optional>
#include <vector>

#include <rapidjson/document.h>

#include "host/auth/digest.hpp"
#include "host/base/json.hpp"
#include "host/observe/audit.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/request_trace.hpp"

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

struct FilterTexts {
  explicit FilterTexts(const NameFilter& filter)
      : only(list_of(filter.only)), except(list_of(filter.except)) {}
  const std::string only, except;
};

std::string filtered_fields(const Agent& agent) {
  std::vector<std::string> names;
  for (const FilterLayer& layer : agent.filters) {
    names.insert(names.end(), layer.summary.begin(), layer.summary.end());
  }
  return list_of(names);
}

// The parts of an agent that its record shows as JSON.
struct AgentTexts {
  explicit AgentTexts(const Agent& agent)
      : tenant(agent.tenant_id ? fingerprint_of(*agent.tenant_id) : std::string()),
        classes(agent.classes),
        tools(agent.tools),
        methods(agent.methods),
        filters(filtered_fields(agent)) {}
  const std::string tenant;
  const FilterTexts classes, tools, methods;
  const std::string filters;
};

AuditRecord::Caller recorded_caller(const Agent& agent, const ItemRequestParts& parts,
                                    const AgentTexts& texts) {
  return {.name = agent.name,
          .id = agent.principal.empty() ? parts.principal : agent.principal,
          .depth = agent.depth,
          .auth_type = parts.auth_type,
          .master = agent.is_master(),
          .permissions = tier_name(agent.tier),
          .tenant = texts.tenant,
          .classes_only = texts.classes.only,
          .classes_except = texts.classes.except,
          .tools_only = texts.tools.only,
          .tools_except = texts.tools.except,
          .methods_only = texts.methods.only,
          .methods_except = texts.methods.except,
          .filters = texts.filters};
}

double milliseconds(std::chrono::steady_clock::duration took) {
  return std::chrono::duration<double, std::milli>(took).count();
}

AuditRecord::Approval approval_of(const RequestEnd& end) {
  if (!end.approval) return {};
  const ApprovalVerdict& verdict = *end.approval;
  return {decision_word(verdict.decision), verdict.by, verdict.waited.count()};
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

std::string names_of(const rapidjson::Value* arguments) {
  constexpr std::size_t kMaxName = 128, kMaxNames = 4096;
  std::string out = "[";
  if (arguments != nullptr && arguments->IsObject()) {
    for (const auto& entry : arguments->GetObject()) {
      if (out.size() > 1) out += ',';
      if (out.size() > kMaxNames) {
        out += "\"…\"";
        break;
      }
      const std::string_view name(entry.name.GetString(), entry.name.GetStringLength());
      append_json_string(out, name.size() <= kMaxName ? name : "(a name too long)");
    }
  }
  return out + "]";
}

void record_end(Core& core, const ItemRequestParts& parts, const RequestEnd& end) {
  if (parts.trace) parts.trace->set_outcome(end.code, end.denial);
  const AgentTexts texts(*parts.agent);
  core.audit->write({.tool = std::string_view(parts.name).substr(0, kMaxLogged),
                     .plugin = parts.plugin,
                     .generation = parts.generation,
                     .args_keys = parts.args_keys,
                     .notes = end.notes,
                     .agent = recorded_caller(*parts.agent, parts, texts),
                     .outcome = {.ran = end.ran,
                                 .success = end.code.empty(),
                                 .error_code = end.code,
                                 .denial_kind = end.denial,
                                 .denial_cause = end.cause,
                                 .bytes = end.bytes,
                                 .duration_ms = milliseconds(end.took)},
                     .approval = approval_of(end),
                     .correlation_id = parts.correlation_id});
}

void record_sub_agent(Core& core, const ItemRequestParts& parts, const SubAgentCall& call) {
  const AgentTexts texts(call.agent);
  rapidjson::Document arguments;
  arguments.Parse<rapidjson::kParseIterativeFlag>(call.arguments.data(), call.arguments.size());
  const std::string keys = names_of(arguments.HasParseError() ? nullptr : &arguments);
  AuditRecord record{.tool = call.tool.substr(0, kMaxLogged),
                     .plugin = call.plugin,
                     .generation = call.generation,
                     .args_keys = keys,
                     .agent = recorded_caller(call.agent, parts, texts),
                     .outcome = {.ran = call.ran,
                                 .success = call.error_code.empty(),
                                 .error_code = call.error_code,
                                 .bytes = call.bytes,
                                 .duration_ms = milliseconds(call.took)},
                     .correlation_id = parts.correlation_id};
  const std::string_view parent = call.agent.parent_id;
  record.agent.parent_id = parent.empty() ? record.agent.id : parent;
  record.agent.id = call.agent.id;
  core.audit->write(record);
}

void record_span(const ItemRequestParts& parts, std::string_view span) {
  if (parts.trace) parts.trace->add_inner(span);
}

void record_answer(Core& core, const ItemRequestParts& parts, const RequestEnd& end) {
  core.metrics.call_answered(label_of(parts), end.code, end.took);
  record_end(core, parts, end);
}

}  // namespace gantry::host::rpc
