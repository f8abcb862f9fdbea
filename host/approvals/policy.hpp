// host/approvals/policy.hpp: which calls need a person's approval, and how a tool previews.
//
// A tool previews if its input schema has the property `dry_run`; `call_method` takes it inside its
// `arguments`. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/fwd.h>

#include "host/auth/agent.hpp"
#include "host/plugin/manifest.hpp"

namespace gantry::host {

// above_rows: only if the preview shows more rows than the agent may change unasked.
enum class ApprovalNeed { none, above_rows, always };

// The tool that runs class methods. Its `tier` is that of the method.
inline constexpr std::string_view kCallMethod = "call_method";
bool is_call_method(const ItemSpec& item);

// `tier`: of what the call runs. `arguments` is an object that fits the input schema.
ApprovalNeed approval_need(const Agent& agent, const ItemSpec& item, Tier tier,
                           const rapidjson::Value& arguments);

// True if some tier above readonly that the agent has needs no approval: what it asks for by tool,
// method or number of rows leaves other writes unasked.
bool writes_unasked(const Agent& agent);

// True if the agent's list names the tool or method, whatever its tier.
bool is_listed(const Approval& approval, const ItemSpec& item);

// True if `arguments` has the member dry_run, and that is true.
bool says_dry_run(const rapidjson::Value& arguments);

// The text of a member; empty if there is none. Borrows from `object`, which is an object.
std::string_view text_member(const rapidjson::Value& object, std::string_view name);

// True if the call only previews: it asks for no approval.
bool is_preview(const ItemSpec& item, const rapidjson::Value& arguments);

// The arguments of the call's preview; nothing if the tool has none. Values stay as written, and a
// plan_token of the caller is left out.
std::optional<std::string> preview_arguments(const ItemSpec& item, std::string_view arguments);

// True if the input schema of `item` has this property.
bool has_argument(const ItemSpec& item, std::string_view name);

// `arguments` with the member plan_token; one that the caller gave is replaced. Values stay as
// written.
std::string with_plan_token(std::string_view arguments, std::string_view token);

}  // namespace gantry::host
