// host/base/clock.hpp: monotonic time, replaceable in tests.
//
// Any thread. A part that depends on time takes a const Clock&, which its owner keeps alive.
#pragma once

#include <chrono>

namespace gantry::host {

class Clock {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  virtual ~Clock() = default;
  // Never decreases. Its epoch is unspecified.
  virtual Instant now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Instant now() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace gantry::host
