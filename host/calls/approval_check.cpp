#include "host/calls/approval_check.hpp"

#include <algorithm>

#include "host/approvals/policy.hpp"
#include "host/base/exact_json.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {
namespace {

bool is_covered(const ItemCall& request, std::string_view arguments) {
  const Item& item = *request.item;
  return request.pass && item.plugin &&
         request.pass->covers(item.plugin->manifest().name, item.plugin->generation(),
                              item.spec.name, arguments);
}

bool asks_for(const Approval& approval, Tier tier) {
  const bool counted = approval.rows && tier > Tier::readonly;
  return counted ||
         std::find(approval.tiers.begin(), approval.tiers.end(), tier) != approval.tiers.end();
}

// The highest tier that needs no approval because it is below all that do.
Tier below_all(const Approval& approval) {
  if (asks_for(approval, Tier::readonly) || asks_for(approval, Tier::write)) return Tier::readonly;
  return asks_for(approval, Tier::admin) ? Tier::write : Tier::admin;
}

}  // namespace

std::optional<ItemAnswer> unapproved(const ItemCall& request, std::string_view arguments) {
  const Item& item = *request.item;
  if (request.agent->approval.empty() || item.spec.kind != "tool") return std::nullopt;
  rapidjson::Document given;
  if (!parse_exact(arguments.empty() ? "{}" : arguments, given) || !given.IsObject()) {
    given.SetObject();
  }
  const ApprovalNeed need = approval_need(*request.agent, item.spec, item.spec.tier, given);
  if (need == ApprovalNeed::none || is_covered(request, arguments)) return std::nullopt;
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::approval_required;
  answer.arguments = arguments.empty() ? "{}" : arguments;
  answer.above_rows = need == ApprovalNeed::above_rows;
  return answer;
}

Status unapproved_inside(const gantry_call& root, const Agent& agent, const Item& tool,
                         const rapidjson::Value& arguments) {
  if (approval_need(agent, tool.spec, tool.spec.tier, arguments) == ApprovalNeed::none) return {};
  const auto& listed = agent.approval.tools;
  const bool is_listed = std::find(listed.begin(), listed.end(), tool.spec.name) != listed.end();
  const bool approved = root.client.request.pass != nullptr && root.target.item != nullptr &&
                        root.target.item->spec.tier >= tool.spec.tier;
  if (approved && !is_listed) return {};
  return Status::denied("The tool '" + tool.spec.name +
                        "' needs a person's approval, so it must be called by the client itself");
}

Tier writes_up_to(const gantry_call& call) {
  const Agent& agent = *call.agent.profile;
  const gantry_call& root = *call.root;
  if (agent.approval.empty() || root.client.request.pass != nullptr) return agent.tier;
  const Tier below = below_all(agent.approval);
  const Tier own = root.target.item != nullptr ? root.target.item->spec.tier : Tier::readonly;
  const Tier unasked = asks_for(agent.approval, own) ? below : std::max(own, below);
  return std::min(agent.tier, unasked);
}

}  // namespace gantry::host
