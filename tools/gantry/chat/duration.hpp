// tools/gantry/chat/duration.hpp: how long a request took.
#pragma once

#include <chrono>
#include <cstdint>

namespace gantry::cli::chat {

// Whole milliseconds.
inline std::int64_t ms_since(std::chrono::steady_clock::time_point start) {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now() - start).count();
}

}  // namespace gantry::cli::chat
