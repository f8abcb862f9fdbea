// host/rpc/message/log_levels.hpp: MCP's logging levels, which are those of syslog.
//
// Constants and pure functions; any thread.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace gantry::host::rpc {

// By syslog number: 0 is the most severe.
inline constexpr std::array<std::string_view, 8> kLevels = {
    "emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"};
inline constexpr std::string_view kLevelList =
    "debug, info, notice, warning, error, critical, alert, emergency";

// The syslog number of a level's name; nothing for another text.
constexpr std::optional<int> syslog_level(std::string_view name) {
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (kLevels[i] == name) return static_cast<int>(i);
  }
  return std::nullopt;
}

}  // namespace gantry::host::rpc
