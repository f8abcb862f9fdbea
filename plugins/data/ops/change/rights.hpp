// ops/change/rights.hpp: what a call may change. Plain values.
#pragma once

#include <cstdint>
#include <string_view>

namespace gantry::data {

// The tier up to which the call may write now: the host decides it from the agent's tier and from
// approvals. create and update need `write`; delete and changes of the schema need `admin`.
enum class WriteTier : std::uint8_t { readonly, write, admin };

// "readonly", "write" or "admin"; any other text is readonly.
constexpr WriteTier write_tier(std::string_view name) {
  if (name == "admin") return WriteTier::admin;
  return name == "write" ? WriteTier::write : WriteTier::readonly;
}

constexpr std::string_view tier_name(WriteTier tier) {
  if (tier == WriteTier::admin) return "admin";
  return tier == WriteTier::write ? "write" : "readonly";
}

}  // namespace gantry::data
