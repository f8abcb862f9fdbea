// A clock that a test sets.
#pragma once

#include <atomic>

#include "host/base/clock.hpp"

namespace gantry::host {

class FakeClock final : public Clock {
 public:
  Instant now() const override { return Instant(Duration(ticks_)); }
  void advance(Duration by) { ticks_ += by.count(); }

 private:
  std::atomic<Duration::rep> ticks_{1'000'000};
};

}  // namespace gantry::host
