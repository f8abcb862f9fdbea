#include "host/calls/admission.hpp"

#include "host/calls/answer.hpp"
#include "host/calls/fitting.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {

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
  bad.error_fits_schema = error_fits(*item, bad);
  return bad;
}

std::optional<ItemAnswer> Admission::denied(const Agent& agent, const Item& item) {
  ItemAnswer no;
  no.kind = ItemAnswer::Kind::error;
  if (item.spec.kind == "tool" && !agent.tools.allows(item.spec.name)) {
    no.error_code = "tool_filtered";
    no.message = "The tool '" + item.spec.name + "' is not among the tools of this agent";
  } else if (agent.tier < item.spec.tier) {
    no.error_code = "permission_denied";
    no.message = "The " + named(item.spec.kind, item.spec.key()) + " needs the permission '" +
                 std::string(tier_name(item.spec.tier)) + "'; this agent has '" +
                 std::string(tier_name(agent.tier)) +
                 "'. A client that sends the operator's GANTRY_ADMIN_KEY has 'admin'";
  } else {
    return std::nullopt;
  }
  no.error_fits_schema = error_fits(item, no);
  return no;
}

}  // namespace gantry::host
