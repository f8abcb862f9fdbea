#include "host/approvals/policy.hpp"

#include <algorithm>
#include <initializer_list>

#include "host/auth/name_filter.hpp"
#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::host {
namespace {

using Value = rapidjson::Value;
using Document = rapidjson::Document;

constexpr std::string_view kDryRun = "dry_run", kPlanToken = "plan_token";

Value::ConstMemberIterator find_member(const Value& object, std::string_view name) {
  const auto size = static_cast<rapidjson::SizeType>(name.size());
  return object.FindMember(Value(rapidjson::StringRef(name.data(), size)));
}

const Value* object_member(const Value& object, std::string_view name) {
  const auto at = find_member(object, name);
  return at != object.MemberEnd() && at->value.IsObject() ? &at->value : nullptr;
}

template <class List, class Entry>
bool holds(const List& list, const Entry& entry) {
  return std::find(list.begin(), list.end(), entry) != list.end();
}

// The members of a JSON object but for those named in `without`, verbatim and without braces.
std::string other_members(std::string_view object,
                          std::initializer_list<std::string_view> without) {
  std::string out;
  const auto parsed = contract::RawJson::parse(object);
  if (!parsed || !parsed->is(contract::RawJson::Kind::object)) return out;
  for (const auto& [name, value] : parsed->members()) {
    if (holds(without, std::string_view(name))) continue;
    if (!out.empty()) out += ',';
    append_json_string(out, name);
    out.append(":").append(value.text());
  }
  return out;
}

// The object with this member; one of the same name is replaced.
std::string with_member(std::string_view object, std::string_view name, std::string_view value,
                        std::initializer_list<std::string_view> without) {
  std::string out = "{" + other_members(object, without);
  if (out.size() > 1) out += ',';
  append_json_string(out, name);
  return out.append(":").append(value) += '}';
}

}  // namespace

bool is_call_method(const ItemSpec& item) {
  return item.kind == "tool" && item.name == kCallMethod;
}

bool writes_unasked(const Agent& agent) {
  for (const Tier tier : {Tier::write, Tier::admin}) {
    if (tier <= agent.tier && !holds(agent.approval.tiers, tier)) return true;
  }
  return false;
}

bool is_listed(const Approval& approval, const ItemSpec& item) {
  return item.kind == "method" ? has_method(approval.methods, item.class_name, item.name)
                               : holds(approval.tools, item.name);
}

bool says_dry_run(const Value& arguments) {
  if (!arguments.IsObject()) return false;
  const auto at = find_member(arguments, kDryRun);
  return at != arguments.MemberEnd() && at->value.IsTrue();
}

std::string_view text_member(const Value& object, std::string_view name) {
  const auto at = find_member(object, name);
  if (at == object.MemberEnd() || !at->value.IsString()) return {};
  return {at->value.GetString(), at->value.GetStringLength()};
}

bool has_argument(const ItemSpec& item, std::string_view name) {
  if (item.input_schema.find(name) == std::string::npos) return false;
  Document schema;
  if (!parse_exact(item.input_schema, schema) || !schema.IsObject()) return false;
  const Value* const properties = object_member(schema, "properties");
  return properties != nullptr && find_member(*properties, name) != properties->MemberEnd();
}

bool is_preview(const ItemSpec& item, const Value& arguments) {
  if (item.kind == "method") return says_dry_run(arguments);
  if (is_call_method(item)) {
    const Value* const inner = object_member(arguments, "arguments");
    return inner != nullptr && says_dry_run(*inner);
  }
  return says_dry_run(arguments) && has_argument(item, kDryRun);
}

ApprovalNeed approval_need(const Agent& agent, const ItemSpec& item, Tier tier,
                           const Value& arguments) {
  const Approval& asked = agent.approval;
  const bool can_need = contract::is_kind(item.kind, contract::kActing);
  if (asked.empty() || !can_need) return ApprovalNeed::none;
  bool always = holds(asked.tiers, tier) || is_listed(asked, item);
  if (is_call_method(item)) {
    always = always || has_method(asked.methods, text_member(arguments, "class_name"),
                                  text_member(arguments, "method_name"));
  }
  const bool counted = asked.rows && tier > Tier::readonly;
  if (!always && !counted) return ApprovalNeed::none;
  if (is_preview(item, arguments)) return ApprovalNeed::none;
  return always ? ApprovalNeed::always : ApprovalNeed::above_rows;
}

std::optional<std::string> preview_arguments(const ItemSpec& item, std::string_view arguments) {
  if (is_call_method(item)) {
    const auto parsed = contract::RawJson::parse(arguments);
    const auto inner = parsed ? parsed->find("arguments") : std::nullopt;
    return with_member(arguments, "arguments",
                       with_member(inner ? inner->text() : "{}", kDryRun, "true", {kDryRun}),
                       {"arguments"});
  }
  if (!has_argument(item, kDryRun)) return std::nullopt;
  return with_member(arguments, kDryRun, "true", {kDryRun, kPlanToken});
}

std::string with_plan_token(std::string_view arguments, std::string_view token) {
  return with_member(arguments, kPlanToken, json_string(token), {kDryRun, kPlanToken});
}

}  // namespace gantry::host
