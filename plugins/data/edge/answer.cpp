#include "edge/answer.hpp"

#include <gantry/json.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ops/error_details.hpp"

namespace gantry::data {
namespace {

using Names = std::vector<std::string>;

// Empty if the value is no array of names.
std::optional<Names> names_of(const Json& list) {
  if (!list.is_array()) return std::nullopt;
  Names names;
  for (const Json name : list.elements()) {
    auto text = name.as_string();
    if (!text) return std::nullopt;
    names.push_back(std::move(*text));
  }
  return names;
}

// The member "classes" of an agent: {only?, except?}.
std::optional<ClassFilterPtr> filter_of(const Json& classes) {
  std::optional<Names> only, except = Names();
  if (const auto list = classes.find("only")) {
    only = names_of(*list);
    if (!only) return std::nullopt;
  }
  if (const auto list = classes.find("except")) except = names_of(*list);
  if (!except || !classes.is_object()) return std::nullopt;
  return std::make_shared<const ClassFilter>(std::move(only), std::move(*except));
}

// The host is at fault.
Status refuse_scope(const CallView& call, const std::string& why) {
  call.host().error("the scope of a call's agent cannot be read: " + why);
  return call.fail(error_code::kInternalError, "Internal error");
}

// Whether the surface has the member. A quote inside a string of JSON is escaped, so that one
// inside a value cannot hide a name; a value of such a text may look like one.
bool may_have(std::string_view surface, std::string_view quoted_name) {
  return surface.find(quoted_name) != surface.npos;
}

// What the surface names, and the engine can only obey with the scope: rows depend on it.
std::string_view right_in(const Json& agent) {
  for (const char* name : {"user", "role", "tenant_id"}) {
    if (agent.find(name)) return name;
  }
  return {};
}

// Of a host that gives no scope, or of a worker process, which never gets one. An error has ended
// the call.
Result<RulesPtr> rules_of_surface(const CallView& call) {
  const std::string_view text = call.agent();
  const bool is_simple = !text.empty() && !may_have(text, "\"classes\"") &&
                         !may_have(text, "\"user\"") && !may_have(text, "\"role\"") &&
                         !may_have(text, "\"tenant_id\"");
  if (is_simple) return RulesPtr();
  const auto agent = Json::parse(text);
  if (agent && !right_in(*agent).empty()) {
    return refuse_scope(call,
                        "there is none, and the agent has a " + std::string(right_in(*agent)));
  }
  const auto classes = agent ? agent->find("classes") : std::nullopt;
  if (agent && agent->is_object() && !classes) return RulesPtr();
  auto filter = classes ? filter_of(*classes) : std::nullopt;
  if (filter) return RulesPtr(std::make_shared<const Rules>(std::move(*filter)));
  return refuse_scope(call, std::string(text));
}

// An error has ended the call.
Result<RulesPtr> rules_of(RecentRules& recent, const CallView& call) {
  const std::string_view text = call.property("agent_scope");
  if (text.empty()) return rules_of_surface(call);
  auto rules = recent.of(text);
  if (!rules) return refuse_scope(call, rules.message());
  return rules;
}

}  // namespace

Budget budget_of(const CallView& call) {
  Budget budget;
  if (const auto deadline = call.deadline()) {
    budget.deadline_ns = database_deadline(
        Budget::now_ns(), deadline->time_since_epoch() / std::chrono::nanoseconds(1));
  }
  budget.cancelled = [&call] { return call.cancelled(); };
  return budget;
}

std::size_t cap_of(const CallView& call) {
  std::size_t cap = kDefaultAnswerBytes;
  const std::string_view text = call.property("max_answer_bytes");
  std::from_chars(text.data(), text.data() + text.size(), cap);
  return cap;
}

Result<Caller> caller_of(Service& service, const CallView& call) {
  auto rules = rules_of(service.recent_rules(), call);
  if (!rules) return rules.status();
  Caller caller{budget_of(call), cap_of(call), std::move(*rules),
                write_tier(call.property("writes_up_to")),
                write_tier(call.property("previews_up_to"))};
  if (caller.writes_up_to != WriteTier::readonly) {
    caller.origin = {call.agent(), call.property("tool"), call.property("correlation_id")};
  }
  return caller;
}

void note_for_audit(const CallView& call, const std::string& note) {
  if (!note.empty()) static_cast<void>(call.part("gantry/audit", note));
}

Status give(const CallView& call, const Reply& reply, const std::string& meta) {
  note_for_audit(call, reply.audit_note);
  if (!reply.warnings.empty()) (void)call.part("warnings", reply.warnings);
  if (!reply.class_name.empty()) (void)call.part("class_name", reply.class_name);
  if (!reply.rows.empty()) (void)call.part("rows", reply.rows);
  return call.part("meta", meta);
}

Status fail(const CallView& call, const DataError& error) {
  const bool internal = error.code == error_code::kInternalError;
  if (internal) call.host().error(error.message);
  // The host keeps it for its operators; if it does not, the call is refused all the same.
  if (!error.cause.empty()) static_cast<void>(call.part("gantry/denial", error.cause));
  note_for_audit(call, error.audit_note);
  return call.fail(error.code, internal ? "Internal error" : error.message, error_details(error));
}

}  // namespace gantry::data
