// host/base/tier.hpp: permission tiers of agents, from the lowest to the highest.
//
// Values and pure functions; any thread. Tiers compare with <.
#pragma once

#include <optional>
#include <string_view>

namespace gantry::host {

enum class Tier { readonly, write, admin };

// The name in configuration, manifests and messages.
inline std::string_view tier_name(Tier tier) {
  constexpr std::string_view kNames[] = {"readonly", "write", "admin"};
  return kNames[static_cast<int>(tier)];
}

// The tier of that name; nothing for another text.
inline std::optional<Tier> tier_from(std::string_view name) {
  for (Tier tier : {Tier::readonly, Tier::write, Tier::admin}) {
    if (tier_name(tier) == name) return tier;
  }
  return std::nullopt;
}

}  // namespace gantry::host
