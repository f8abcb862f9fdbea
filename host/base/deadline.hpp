// host/base/deadline.hpp: deadlines as the plugin contract passes them: nanoseconds of
// CLOCK_MONOTONIC, 0 for none.
//
// Pure functions; any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace gantry::host {

// The moment in nanoseconds of CLOCK_MONOTONIC; never 0, which means "no deadline".
inline std::uint64_t deadline_from(std::chrono::steady_clock::time_point when) {
  const auto since = when.time_since_epoch();
  const auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  return count > 0 ? static_cast<std::uint64_t>(count) : 1;
}

// The moment of a deadline other than 0.
inline std::chrono::steady_clock::time_point time_of(std::uint64_t deadline) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline));
}

}  // namespace gantry::host
