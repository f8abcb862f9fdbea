#include <algorithm>
#include <utility>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "host/auth/agent.hpp"
#include "host/auth/filter_names.hpp"
#include "host/auth/name_filter.hpp"
#include "host/base/exact_json.hpp"
#include "host/base/ids.hpp"

namespace gantry::host {
namespace {

constexpr int kMaxDepth = 4;
// Of one narrowing. A store compiles each filter.
constexpr std::size_t kMostFilterBytes = 64u << 10;

using Wish = rapidjson::Value;

Status narrow_tier(Agent& agent, const Agent& parent, const Wish& value) {
  const auto tier = value.IsString() ? contract::tier_from(value.GetString()) : std::nullopt;
  if (!tier) return Status::invalid("narrowing.permissions must be readonly, write or admin");
  if (*tier > parent.tier) {
    return Status::denied("permission '" + std::string(tier_name(*tier)) +
                          "' is more than the caller's '" + std::string(tier_name(parent.tier)) +
                          "'");
  }
  agent.tier = *tier;
  return {};
}

Status narrow_list(NameFilter& out, const Wish& value, const std::string& member) {
  auto wanted = read_filter(value, "narrowing." + member);
  if (!wanted) return wanted.status();
  const Entries entries = member == "methods" ? Entries::qualified : Entries::plain;
  auto both = intersected(out, *wanted, entries, member);
  if (both) out = std::move(*both);
  return both.status();
}

// A layer that is there already adds nothing.
Status narrow_filters(Agent& agent, const Wish& value) {
  if (!value.IsObject())
    return Status::invalid("narrowing.filters must be an object of filters by class");
  for (const auto& entry : value.GetObject()) {
    if (!entry.value.IsObject())
      return Status::invalid("narrowing.filters must hold an object for each class");
  }
  if (value.ObjectEmpty()) return {};
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  if (buffer.GetSize() > kMostFilterBytes)
    return Status::invalid("narrowing.filters is longer than 64 KiB");
  FilterLayer layer{{buffer.GetString(), buffer.GetSize()}, filter_names(value)};
  const auto& layers = agent.filters;
  if (std::find(layers.begin(), layers.end(), layer) == layers.end())
    agent.filters.push_back(std::move(layer));
  return {};
}

Status narrow_member(Agent& agent, const Agent& parent, const std::string& member,
                     const Wish& value) {
  if (member == "permissions") return narrow_tier(agent, parent, value);
  if (member == "tools") return narrow_list(agent.tools, value, member);
  if (member == "classes") return narrow_list(agent.classes, value, member);
  if (member == "methods") return narrow_list(agent.methods, value, member);
  if (member == "filters") return narrow_filters(agent, value);
  return Status::invalid("narrowing has the unknown member '" + member +
                         "'; allowed: permissions, tools, classes, methods, filters");
}

}  // namespace

Result<AgentPtr> Agent::narrowed(std::string_view narrowing) const {
  rapidjson::Document wish;
  if (!parse_exact<rapidjson::kParseValidateEncodingFlag>(narrowing, wish) || !wish.IsObject())
    return Status::invalid("a narrowing is a JSON object");
  if (depth >= kMaxDepth) return Status::denied("agents may be narrowed at most 4 times");
  Agent agent(*this);
  agent.depth = depth + 1;
  agent.tier = Tier::readonly;
  agent.parent_id = id;
  agent.id = random_hex(8);
  for (const auto& entry : wish.GetObject()) {
    const std::string member(entry.name.GetString(), entry.name.GetStringLength());
    if (Status status = narrow_member(agent, *this, member, entry.value); !status) return status;
  }
  return share(std::move(agent));
}

}  // namespace gantry::host
