// host/config/discovery.hpp: when tools/list holds the overview tool, with its key's words.
//
// Values.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace gantry::host {

// `automatic`: where a caller's list has more than 40 other tools.
enum class Discovery { automatic, always, never };
inline constexpr std::array<std::pair<std::string_view, Discovery>, 3> kDiscoveryWords = {
    {{"auto", Discovery::automatic}, {"always", Discovery::always}, {"never", Discovery::never}}};

}  // namespace gantry::host
