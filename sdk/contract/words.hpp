// sdk/contract/words.hpp: members of manifests and items that are one word of a set. Values.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace gantry::contract {

// Permission tiers of agents, from the lowest to the highest; they compare with <.
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

// The place where a plugin runs. automatic: the other side decides (manifest, operator's settings).
enum class Isolate { automatic, in_process, process };
inline constexpr std::array<std::pair<std::string_view, Isolate>, 3> kIsolateWords = {
    {{"auto", Isolate::automatic},
     {"in-process", Isolate::in_process},
     {"process", Isolate::process}}};

}  // namespace gantry::contract
