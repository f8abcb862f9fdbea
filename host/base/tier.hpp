// host/base/tier.hpp: permission tiers of agents, from the lowest to the highest. Values.
#pragma once

#include <optional>
#include <string_view>

namespace gantry::host {

enum class Tier { readonly, write, admin };

inline std::string_view tier_name(Tier tier) {
  constexpr std::string_view kNames[] = {"readonly", "write", "admin"};
  return kNames[static_cast<int>(tier)];
}

inline std::optional<Tier> tier_from(std::string_view name) {
  for (Tier tier : {Tier::readonly, Tier::write, Tier::admin}) {
    if (tier_name(tier) == name) return tier;
  }
  return std::nullopt;
}

}  // namespace gantry::host
