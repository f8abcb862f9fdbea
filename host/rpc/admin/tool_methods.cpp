// tool.list, tool.call and agent.ask.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "host/observe/record_filter.hpp"
#include "host/rpc/admin/as_agent.hpp"
#include "host/rpc/admin/operator_methods.hpp"
#include "host/rpc/admin/sample_json.hpp"

namespace gantry::host::rpc {
namespace {

// Of the records in memory.
struct ToolUse {
  std::size_t calls = 0, errors = 0;
  std::vector<double> times;

  double p95() {
    if (times.empty()) return 0;
    const auto at = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) * 95 / 100);
    std::nth_element(times.begin(), at, times.end());
    return *at;
  }
};

struct ToolUses {
  std::map<std::string, ToolUse, std::less<>> tools;
  std::string since;
};

ToolUses uses_of(const Feed& feed) {
  ToolUses out;
  for (const FeedRecord& record : feed.all()) {
    RecordFacts facts;
    if (!read_record(*record.json, facts)) continue;
    if (out.since.empty()) out.since = facts.time;
    ToolUse& use = out.tools[facts.tool];
    ++use.calls;
    if (!facts.success) ++use.errors;
    use.times.push_back(worked_ms(facts.duration_ms, facts.waited_ms));
  }
  return out;
}

void append_raw(std::string& out, std::string_view name, std::string_view json) {
  if (json.empty()) return;
  append_name(out, name);
  append_compact(out, json);
}

void append_use(std::string& out, ToolUses& uses, const std::string& name) {
  const auto found = uses.tools.find(name);
  const bool used = found != uses.tools.end();
  append_json_member(out, "calls", std::to_string(used ? found->second.calls : 0));
  append_json_member(out, "errors", std::to_string(used ? found->second.errors : 0));
  if (used) append_json_member(out, "p95_ms", decimal(found->second.p95()));
}

std::size_t tokens_of(const ItemSpec& spec) {
  return (spec.name.size() + spec.description.size() + spec.input_schema.size()) / 4;
}

void append_tool(std::string& out, const Item& item, ToolUses& uses) {
  const ItemSpec& spec = item.spec;
  out += out.ends_with('[') ? "{" : ",{";
  append_text_member(out, "name", spec.name);
  if (!spec.title.empty()) append_text_member(out, "title", spec.title);
  append_text_member(out, "description", spec.description);
  append_text_member(out, "category", spec.category);
  append_text_member(out, "plugin", item.plugin ? item.plugin->manifest().name : "");
  append_json_member(out, "generation",
                     std::to_string(item.plugin ? item.plugin->generation() : 0));
  append_text_member(out, "tier", contract::tier_name(spec.tier));
  append_json_member(out, "timeout_ms", std::to_string(spec.timeout.count()));
  append_json_member(out, "annotations", spec.annotations.empty() ? "{}" : spec.annotations);
  append_raw(out, "inputSchema", spec.input_schema);
  append_raw(out, "outputSchema", spec.output_schema);
  append_json_member(out, "tokens", std::to_string(tokens_of(spec)));
  append_use(out, uses, spec.name);
}

Result<std::string> list_tools_for(const HostParts& parts, const AdminParams& params) {
  const auto file = parts.agents();
  const AgentPtr agent = params.has("agent") ? file->find(params.text("agent")) : nullptr;
  if (params.has("agent") && !agent) return no_profile(params.text("agent"), *file);
  ToolUses uses = uses_of(parts.audit.feed());
  const SnapshotPtr snapshot = parts.registry.snapshot();
  std::string out = "{\"tools\":[";
  for (const ItemPtr& tool : snapshot->tools) {
    append_tool(out, *tool, uses);
    if (const auto no = agent ? parts.calls.denied(*agent, *tool) : std::nullopt) {
      std::string hidden = "{";
      append_text_member(hidden, "error_code", no->error_code);
      append_text_member(hidden, "reason", no->message);
      append_json_member(out, "hidden", hidden + "}");
    }
    out += '}';
  }
  out += ']';
  if (!uses.since.empty()) append_text_member(out, "since", uses.since);
  out += '}';
  put_on_one_line(out);
  return out;
}

// The members of tools/call.
std::string call_members(const AdminParams& params) {
  std::string out = "{";
  append_text_member(out, "name", params.text("tool"));
  for (const char* name : {"arguments", "inputResponses"}) {
    if (const auto* value = params.find(name)) append_json_member(out, name, json_of(*value));
  }
  if (params.has("requestState"))
    append_text_member(out, "requestState", params.text("requestState"));
  return out;
}

AdminMethod tool_call(const HostParts& parts) {
  return {.name = "tool.call",
          .parameters = {"agent", "tool", "arguments?:object", "inputResponses?:object",
                         "requestState?"},
          .pace = AdminMethod::Pace::later,
          .reads = false,
          .doors = AdminMethod::Doors::http_only,
          .start = [parts](const AdminParams& params, const AdminCaller&, AdminMethod::Done done) {
            return ask_as(parts, {params.text("agent"), "tools/call", call_members(params)},
                          std::move(done));
          }};
}

// The members of the parameters, without _meta, which the console has no use for.
std::string given_members(const rapidjson::Value* params) {
  std::string out = "{";
  if (params == nullptr) return out;
  for (const auto& given : params->GetObject()) {
    const std::string_view name(given.name.GetString(), given.name.GetStringLength());
    if (name != "_meta") append_json_member(out, name, json_of(given.value));
  }
  return out;
}

// What an agent reads besides tools.
constexpr std::array<std::string_view, 6> kReadingMethods{
    "prompts/list",   "prompts/get",        "resources/list", "resources/templates/list",
    "resources/read", "completion/complete"};

Error no_reading_method() {
  std::string sentence = "method must be one of those that read prompts and resources";
  char before = ':';
  for (const std::string_view method : kReadingMethods) {
    sentence.append(1, std::exchange(before, ',')).append(" ").append(method);
  }
  return Error::invalid_params(sentence);
}

AdminMethod agent_ask(const HostParts& parts) {
  return {.name = "agent.ask",
          .parameters = {"agent", "method", "params?:object"},
          .pace = AdminMethod::Pace::later,
          .reads = false,
          .doors = AdminMethod::Doors::http_only,
          .start = [parts](const AdminParams& params, const AdminCaller&,
                           AdminMethod::Done done) -> AdminMethod::Cancel {
            const std::string method = params.text("method");
            if (std::find(kReadingMethods.begin(), kReadingMethods.end(), method) ==
                kReadingMethods.end()) {
              done({{}, no_reading_method()});
              return {};
            }
            return ask_as(parts,
                          {params.text("agent"), method, given_members(params.find("params"))},
                          std::move(done));
          }};
}

}  // namespace

AdminMethods tool_methods(const HostParts& parts) {
  return {{.name = "tool.list",
           .parameters = {"agent?"},
           .pace = AdminMethod::Pace::blocks,
           .run = [parts](const AdminParams& params,
                          const AdminCaller&) { return list_tools_for(parts, params); }},
          tool_call(parts),
          agent_ask(parts)};
}

}  // namespace gantry::host::rpc
