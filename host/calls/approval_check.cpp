#include "host/calls/approval_check.hpp"

#include <algorithm>

#include "host/approvals/policy.hpp"
#include "host/base/exact_json.hpp"
#include "host/calls/kinds.hpp"
#include "host/calls/methods.hpp"

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

// The lowest tier of the methods that the call is inside of: a method writes what its tier says.
Tier below_methods(const gantry_call& call) {
  Tier lowest = Tier::admin;
  for (const gantry_call* each = &call; each != nullptr; each = each->nested.parent) {
    const CallTarget& target = each->target;
    if (target.kind->in(contract::kMethod)) lowest = std::min(lowest, target.item->spec.tier);
  }
  return lowest;
}

}  // namespace

std::optional<ItemAnswer> unapproved(const ItemCall& request, std::string_view fitting) {
  const Item& item = *request.item;
  if (request.agent->approval.empty() || item.spec.kind != "tool") return std::nullopt;
  rapidjson::Document parsed(rapidjson::kObjectType);
  if (!fitting.empty() && (!parse_exact(fitting, parsed) || !parsed.IsObject())) {
    parsed.SetObject();
  }
  const bool is_own = fitting.empty() && request.parsed != nullptr;
  const rapidjson::Value& given = is_own ? *request.parsed : parsed;
  const std::string_view arguments = fitting.empty() ? request.arguments : fitting;
  const Tier tier = tier_of(item, named_method(*request.snapshot, item, given));
  const ApprovalNeed need = approval_need(*request.agent, item.spec, tier, given);
  if (need == ApprovalNeed::none || is_covered(request, arguments)) return std::nullopt;
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::approval_required;
  answer.arguments = arguments.empty() ? "{}" : arguments;
  answer.above_rows = need == ApprovalNeed::above_rows;
  return answer;
}

Status unapproved_inside(const gantry_call& root, const Agent& agent, const Item& item,
                         const rapidjson::Value& arguments) {
  if (approval_need(agent, item.spec, item.spec.tier, arguments) == ApprovalNeed::none) return {};
  const bool is_own = &item == root.target.method;  // a person was shown this method
  const bool approved =
      root.client.request.pass != nullptr && tier_of(root.target) >= item.spec.tier;
  if (approved && (is_own || !is_listed(agent.approval, item.spec))) return {};
  return Status::denied("The " + named(item.spec.kind, item.spec.key()) +
                        " needs a person's approval, so it must be called by the client itself");
}

Tier previews_up_to(const gantry_call& call) {
  return std::min(call.agent.profile->tier, below_methods(call));
}

Tier writes_up_to(const gantry_call& call) {
  const Agent& agent = *call.agent.profile;
  const gantry_call& root = *call.root;
  const Tier most = previews_up_to(call);
  if (agent.approval.empty() || root.client.request.pass != nullptr) return most;
  const Tier below = below_all(agent.approval);
  const Tier own = tier_of(root.target);
  const Tier unasked = asks_for(agent.approval, own) ? below : std::max(own, below);
  return std::min(most, unasked);
}

}  // namespace gantry::host
