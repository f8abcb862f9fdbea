#include "tools/gantry/agent/layers.hpp"

#include <array>
#include <string_view>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct LayerRow {
  std::string_view word, layer, sentence;
};

// The true causes that the host alone knows.
constexpr std::array kCauses = {
    LayerRow{"absent", "class_absent", "No class of this name exists. Its name may be misspelt."},
    LayerRow{"hidden", "class_hidden",
             "The class is hidden: by the model (\"hidden\", \"visible\"), or as a table of the "
             "system."},
    LayerRow{
        "view_of_ruled", "view_of_ruled",
        "The class is a view (or a full-text table) without rules of its own, and a class that "
        "it reads is hidden from the agent or ruled: the view would show rows past these rules. "
        "State rules for the view in the model (\"visible\", \"agent_fields\", "
        "\"tenant_scope\" …)."},
    LayerRow{
        "class_filter", "class_filter",
        "The class exists and is outside the agent's \"classes\". Add it to \"only\", or take it "
        "out "
        "of \"except\"."},
    LayerRow{
        "class_permission", "class_permission",
        "The model's \"class_permissions\" do not give this agent's user or roles the operation."},
    LayerRow{"tenant", "tenant",
             "The class belongs to tenants, and the agent has no tenant or named another one."},
    LayerRow{"filter", "filter", "The row exists, and a filter of the agent leaves it out."},
    LayerRow{"acl", "acl",
             "The row exists, and its access list does not name the agent's user or roles."},
    LayerRow{
        "row_rule", "row",
        "No row of this id is visible to the agent: it is absent, or the tenant, a filter, the "
        "access list or the owner of the class leaves it out."},
    LayerRow{"row_absent", "row_absent", "No row has this id."},
    LayerRow{"field", "field", "The field is not among those that this agent may use."},
    LayerRow{"sql_off", "sql",
             "SQL is turned off: by \"sql\": false of the agent, or of plugins.data.config."},
    LayerRow{"gate", "gate",
             "A gate is closed: the server was started without this kind of change."},
    LayerRow{"approval", "approval", "A person must accept calls of this tool."},
    LayerRow{"method", "methods", "The method is not among the agent's \"methods\"."},
};

// The kinds of a denial that its caller got too.
constexpr std::array kKinds = {
    LayerRow{
        "hidden_class", "class_hidden",
        "The class is absent, hidden, or outside the agent's \"classes\"; the plugin did not say "
        "which."},
    LayerRow{"field_denied", "field", "The field is not among those that this agent may use."},
    LayerRow{"tenant_scope", "tenant",
             "In a class of tenants no row of this id is visible to the agent: absent, another "
             "tenant's, "
             "or left out by a filter or an access list."},
    LayerRow{
        "class_permission", "class_permission",
        "The model's \"class_permissions\" do not give this agent's user or roles the operation."},
    LayerRow{"gate", "gate",
             "A gate is closed: the server was started without this kind of change."},
    LayerRow{"response_too_large", "answer_cap", "The answer is larger than the cap on answers."},
};

constexpr std::array kCodes = {
    LayerRow{"unknown_tool", "unknown_tool",
             "No loaded plugin offers a tool of this name. See gantry plugin list."},
    LayerRow{"tool_filtered", "tools", "The tool is outside the agent's \"tools\" or \"methods\"."},
    LayerRow{"permission_denied", "tier", "The agent's \"permissions\" are too low for this tool."},
    LayerRow{"access_denied", "access", "A rule of the model or of the agent denies it."},
    LayerRow{"security_blocked", "security",
             "The query uses a forbidden stage or operator, or would scan a whole class."},
    LayerRow{"rate_limited", "rate_limit",
             "The agent made more calls than its \"rate_limit\" allows."},
    LayerRow{"approval_declined", "approval", "A person was asked for approval and declined."},
    LayerRow{"approval_unavailable", "approval",
             "The call needs an approval and no person can be asked."},
    LayerRow{"missing_capability", "client",
             "The client did not declare a capability that the tool needs."},
    LayerRow{"invalid_argument", "arguments",
             "The arguments do not fit; no rule refused the call."},
    LayerRow{"invalid_query", "query", "The query cannot be understood; no rule refused the call."},
    LayerRow{"invalid_input", "input_state",
             "The state of an earlier round is forged, old, or of another call."},
    LayerRow{"input_refused", "input_state", "The client's answer to a question does not fit."},
    LayerRow{"not_found", "not_found", "Nothing of this id or name is visible to the agent."},
    LayerRow{"busy", "load", "The server ran as many calls as \"limits.max_calls\" allows."},
    LayerRow{"timeout", "deadline", "The call took longer than its tool's time limit."},
    LayerRow{"cancelled", "client", "The client cancelled the call or disconnected."},
    LayerRow{"store_error", "store", "The database failed; the log has the cause."},
    LayerRow{"internal_error", "internal", "The server or a plugin failed; the log has the cause."},
    LayerRow{"tool_error", "tool",
             "The tool ran and wrote an error of its own; no rule refused the call."},
};

template <class LayerRows>
const LayerRow* layer_row(const LayerRows& rows, std::string_view word) {
  for (const LayerRow& row : rows) {
    if (row.word == word) return &row;
  }
  return nullptr;
}

Layer as_layer(const LayerRow& row) { return {std::string(row.layer), std::string(row.sentence)}; }

}  // namespace

Layer layer_of(const rapidjson::Value& record) {
  const std::string cause = text_at(record, "denial_cause");
  if (const LayerRow* row = layer_row(kCauses, cause)) return as_layer(*row);
  if (!cause.empty()) {
    return {cause, "The plugin '" + text_at(record, "plugin") + "' gave this cause."};
  }
  if (const LayerRow* row = layer_row(kKinds, text_at(record, "denial_kind")))
    return as_layer(*row);
  const std::string code = text_at(record, "error_code");
  if (const LayerRow* row = layer_row(kCodes, code)) return as_layer(*row);
  return {code, "The call ended with this error."};
}

}  // namespace gantry::cli
