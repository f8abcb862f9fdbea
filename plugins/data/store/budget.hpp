// store/budget.hpp: how long a request may use the database, and whether anybody still waits.
//
// A value; copied into the lease that works under it. `cancelled` is called on the thread that
// steps, often (every thousand operations of a statement), so it only reads a flag; it must not
// throw and must stay callable until the lease ends.
#pragma once

#include <cstdint>
#include <functional>

#include <gantry/status.hpp>

namespace gantry::data {

struct Budget {
  std::int64_t deadline_ns = 0;     // CLOCK_MONOTONIC; 0: none
  std::function<bool()> cancelled;  // empty: never

  // OK, GANTRY_TIMED_OUT with the sentence an agent reads, or GANTRY_CANCELLED.
  Status check() const;
  bool spent() const;  // the same question, without a sentence

  static std::int64_t now_ns();
  static Budget for_ms(std::int64_t milliseconds);  // from now on, not cancellable
};

}  // namespace gantry::data
