#include "host/calls/admission.hpp"

#include <string>
#include <vector>

#include "host/base/json.hpp"
#include "host/calls/error_answer.hpp"
#include "host/calls/fitting.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {
namespace {

// The lists of the agent's profile.
bool is_among(const Agent& agent, const ItemSpec& spec) {
  if (spec.kind == "method") return agent.allows_method(spec.class_name, spec.name);
  return spec.kind != "tool" || agent.tools.allows(spec.name);
}

ItemAnswer behind_gates(const Item& item, const std::vector<std::string_view>& missing) {
  std::string names, list;
  for (const std::string_view& name : missing) {
    names.append(names.empty() ? "" : &name == &missing.back() ? " and " : ", ").append(name);
    list += list.empty() ? "" : ",";
    append_json_string(list, name);
  }
  ItemAnswer no;
  no.kind = ItemAnswer::Kind::error;
  no.error_code = "access_denied";
  no.denial_cause = "gate";
  no.message = "The " + named(item.spec.kind, item.spec.key()) +
               " is closed on this server: its operator has not set " + names;
  no.details = R"({"kind":"gate","missing":[)" + list + "]}";
  return no;
}

}  // namespace

std::optional<GroupId> Admission::enter(const ItemCall& request) {
  const auto group = parties_.enter(request.party, request.client);
  if (!group || !closed_) return group;
  parties_.leave(*group);
  return std::nullopt;
}

std::optional<ItemAnswer> Admission::refusal(const ItemCall& request, std::string& fitting) const {
  const Item* const item = request.item;
  if (item == nullptr) {
    ItemAnswer unknown;
    unknown.kind = ItemAnswer::Kind::unknown_item;
    unknown.message = "Unknown " + std::string(kind_of(request.kind).noun) + ": " +
                      std::string(request.name.substr(0, 128));
    return unknown;
  }
  if (auto no = denied(*request.agent, *item)) return no;
  if (item->spec.kind != "tool") return std::nullopt;
  static const rapidjson::Value kNoArguments(rapidjson::kObjectType);
  const rapidjson::Value& arguments = request.parsed != nullptr ? *request.parsed : kNoArguments;
  if (!item->input || item->input->validate(arguments)) return std::nullopt;
  if (!strict_) {
    if (auto text = fitting_arguments(*item, request.arguments)) {
      fitting = std::move(*text);
      return std::nullopt;
    }
  }
  ItemAnswer bad;
  bad.kind = ItemAnswer::Kind::invalid_arguments;
  bad.error_code = "invalid_argument";
  bad.message = schema::explain(item->input->errors(arguments));
  bad.error_fits_schema = error_fits(item->output.get(), bad);
  return bad;
}

// In the order of the checks: gates, tier, lists.
std::optional<ItemAnswer> Admission::denied(const Agent& agent, const Item& item) const {
  ItemAnswer no;
  no.kind = ItemAnswer::Kind::error;
  const auto missing = contract::missing_gates(item.spec.gates, open_);
  if (!missing.empty()) {
    no = behind_gates(item, missing);
  } else if (agent.tier < item.spec.tier) {
    no.error_code = "permission_denied";
    no.message = "The " + named(item.spec.kind, item.spec.key()) + " needs the permission '" +
                 std::string(tier_name(item.spec.tier)) + "'; this agent has '" +
                 std::string(tier_name(agent.tier)) +
                 "'. A client that sends the operator's GANTRY_ADMIN_KEY has 'admin'";
  } else if (!is_among(agent, item.spec)) {
    no.error_code = "tool_filtered";
    no.message = "The " + named(item.spec.kind, item.spec.key()) + " is not among the " +
                 item.spec.kind + "s of this agent";
  } else {
    return std::nullopt;
  }
  no.error_fits_schema = error_fits(item.output.get(), no);
  return no;
}

}  // namespace gantry::host
