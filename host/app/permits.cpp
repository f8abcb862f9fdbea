#include "host/app/permits.hpp"

#include <algorithm>
#include <utility>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "host/app/one_call.hpp"
#include "host/approvals/policy.hpp"
#include "host/base/json.hpp"
#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kSchemaSuffix = "/schema";

rapidjson::Document schema_of(const Item& tool) {
  rapidjson::Document schema;
  schema.Parse<rapidjson::kParseIterativeFlag>(tool.spec.input_schema.data(),
                                               tool.spec.input_schema.size());
  return schema;
}

// Whether no call of the tool is without SQL, which an operator may turn off.
bool needs_sql(const Item& tool) {
  const rapidjson::Document schema = schema_of(tool);
  if (!schema.IsObject()) return false;
  const auto required = schema.FindMember("required");
  if (required == schema.MemberEnd() || !required->value.IsArray()) return false;
  const auto names = required->value.GetArray();
  return std::any_of(names.begin(), names.end(),
                     [](const auto& name) { return name.IsString() && name == "sql"; });
}

// Whether a call of the tool is for a class: it names one, or SQL that does. Discovery answers
// questions about classes.
bool is_for_a_class(const Item& tool) {
  if (tool.spec.category == "discovery") return false;
  const rapidjson::Document schema = schema_of(tool);
  if (!schema.IsObject()) return false;
  const auto properties = schema.FindMember("properties");
  return properties != schema.MemberEnd() && properties->value.IsObject() &&
         (properties->value.HasMember("class_name") || properties->value.HasMember("sql"));
}

// A person must accept every call of it.
bool needs_approval(const Agent& agent, const ItemSpec& tool) {
  rapidjson::Value none(rapidjson::kObjectType);
  return approval_need(agent, tool, tool.tier, none) == ApprovalNeed::always;
}

// From the resources that a plugin lists for the template of classes: each is named "CLASS/schema".
std::vector<std::string> classes_in(const std::string& listing) {
  rapidjson::Document resources;
  resources.Parse<rapidjson::kParseIterativeFlag>(listing.data(), listing.size());
  std::vector<std::string> names;
  if (resources.HasParseError()) return names;
  for (const auto& each : resources["resources"].GetArray()) {
    const std::string name = each["name"].GetString();
    if (name.ends_with(kSchemaSuffix)) {
      names.push_back(name.substr(0, name.size() - kSchemaSuffix.size()));
    }
  }
  return names;
}

// From {hidden: [{class, by}], class?}.
rpc::ModelLayers layers_in(const std::string& answer) {
  rpc::ModelLayers layers;
  rapidjson::Document told;
  told.Parse<rapidjson::kParseIterativeFlag>(answer.data(), answer.size());
  if (told.HasParseError() || !told.IsObject()) return layers;
  const auto hidden = told.FindMember("hidden");
  if (hidden != told.MemberEnd() && hidden->value.IsArray()) {
    for (const auto& each : hidden->value.GetArray()) {
      layers.hidden.emplace_back(each["class"].GetString());
    }
  }
  const auto of_class = told.FindMember("class");
  if (of_class != told.MemberEnd()) {
    rapidjson::StringBuffer text;
    rapidjson::Writer<rapidjson::StringBuffer> writer(text);
    of_class->value.Accept(writer);
    layers.of_class.assign(text.GetString(), text.GetSize());
  }
  return layers;
}

}  // namespace

Permits::Verdict Permits::tool_verdict(const Agent& agent, const Item& item) const {
  auto no = calls_.denied(agent, item);
  if (!no) return {};
  return {std::move(no->error_code), std::move(no->denial_cause), std::move(no->message)};
}

Result<Permits::Verdict> Permits::class_verdict(const SnapshotPtr& snapshot, const AgentPtr& agent,
                                                const std::string& tool,
                                                const std::string& class_name) const {
  std::string arguments = "{";
  if (!class_name.empty()) append_text_member(arguments, "class_name", class_name);
  append_text_member(arguments, "tool", tool);
  arguments += '}';
  auto answer = ask_access(snapshot, calls_, agent, kOperatorsParty, arguments);
  if (!answer) return Status::failed(answer.message());
  if (answer->kind == ItemAnswer::Kind::result) return Verdict{};
  if (answer->error_code != "access_denied") {
    return Status::failed("the class '" + class_name + "' cannot be asked for: " + answer->message);
  }
  return Verdict{std::move(answer->error_code), std::move(answer->denial_cause),
                 std::move(answer->message)};
}

Result<rpc::ModelLayers> Permits::layers(const AgentPtr& agent,
                                         const std::string& class_name) const {
  std::string arguments = R"({"tell":"layers")";
  if (!class_name.empty()) append_text_member(arguments, "class_name", class_name);
  arguments += '}';
  const auto answer = ask_access(registry_.snapshot(), calls_, agent, kOperatorsParty, arguments);
  if (answer.status().code() == GANTRY_NOT_FOUND) return rpc::ModelLayers{};
  if (!answer) return Status::failed(answer.message());
  if (answer->kind == ItemAnswer::Kind::result) return layers_in(answer->content);
  return Status::failed("the layers of the model cannot be told: " + answer->message);
}

// Those that a master without a list sees.
Result<std::vector<std::string>> Permits::all_classes(const SnapshotPtr& snapshot) const {
  const Item* const listing = find_item(snapshot->template_by_uri, kClassResource);
  if (listing == nullptr) return std::vector<std::string>();
  ItemCall call = own_call(snapshot, *listing, operators_agent(), kOperatorsParty);
  call.kind = "resource_list";
  const auto answer = answer_of(calls_, std::move(call));
  if (answer && answer->kind == ItemAnswer::Kind::result) return classes_in(answer->structured);
  return Status::failed("the classes cannot be listed: " +
                        (answer ? answer->message : std::string("no answer in time")));
}

Status Permits::append_tool(const SnapshotPtr& snapshot, const AgentPtr& agent, const Item& item,
                            const std::vector<std::string>& classes, std::string& out) const {
  const Verdict of_tool = tool_verdict(*agent, item);
  const bool has_classes = !classes.empty() && is_for_a_class(item);
  const bool asks_for_sql =
      needs_sql(item) && find_item(snapshot->service_by_name, kAccessService) != nullptr;
  for (std::size_t i = 0; i < (has_classes ? classes.size() : 1); ++i) {
    Verdict verdict = of_tool;
    if (verdict.error_code.empty() && (has_classes || asks_for_sql)) {
      auto of_class = class_verdict(snapshot, agent, item.spec.name, has_classes ? classes[i] : "");
      if (!of_class) return of_class.status();
      verdict = std::move(*of_class);
    }
    if (verdict.error_code.empty() && needs_approval(*agent, item.spec)) {
      verdict = {"approval_required", "approval", "A person must accept the call"};
    }
    out += out.ends_with('[') ? "{" : ",{";
    append_text_member(out, "tool", item.spec.name);
    if (has_classes) append_text_member(out, "class", classes[i]);
    append_json_member(out, "allowed", verdict.error_code.empty() ? "true" : "false");
    if (!verdict.error_code.empty()) append_text_member(out, "error_code", verdict.error_code);
    if (!verdict.cause.empty()) append_text_member(out, "cause", verdict.cause);
    if (!verdict.reason.empty()) append_text_member(out, "reason", verdict.reason);
    out += '}';
  }
  return {};
}

std::size_t Permits::classes() const {
  const auto all = all_classes(registry_.snapshot());
  return all ? all->size() : 0;
}

Result<std::string> Permits::verdicts(const rpc::PermitQuestion& question) const {
  const AgentPtr agent = access_.file()->find(question.agent);
  if (!agent) {
    return Status::not_found("there is no profile '" + question.agent +
                             "'; profiles: " + access_.file()->names());
  }
  const SnapshotPtr snapshot = registry_.snapshot();
  std::vector<std::string> classes = question.classes;
  if (question.every) {
    auto all = all_classes(snapshot);
    if (!all) return all.status();
    classes.insert(classes.end(), all->begin(), all->end());
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  }
  std::string out = "{\"verdicts\":[";
  bool has_tool = question.tool.empty();
  for (const ItemPtr& item : snapshot->tools) {
    if (!question.tool.empty() && item->spec.name != question.tool) continue;
    has_tool = true;
    if (Status status = append_tool(snapshot, agent, *item, classes, out); !status) return status;
  }
  if (has_tool) return out + "]}";
  return Status::not_found("no loaded plugin offers the tool '" + question.tool + "'");
}

}  // namespace gantry::host
