// values/system_time.hpp: the time of the system's clock. Any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace gantry::data {

// Milliseconds since 1970.
inline std::int64_t system_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace gantry::data
