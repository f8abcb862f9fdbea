// values/budget.hpp: what one query may use: until when it may run, whether its caller still
// waits, and how much memory its values may take.
//
// A value; copied into the lease and the spending (values/spending.hpp) that work under it.
// `cancelled` is called on the thread that steps, often (every thousand operations of a statement),
// so it only reads a flag; it must not throw and must stay callable until the lease ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <gantry/status.hpp>

namespace gantry::data {

struct Budget {
  static constexpr std::size_t kBytes = std::size_t{100} << 20;

  std::int64_t deadline_ns = 0;     // CLOCK_MONOTONIC; 0: none
  std::function<bool()> cancelled;  // empty: never
  std::size_t bytes = kBytes;       // of all values that are there at once

  // OK, GANTRY_TIMED_OUT with the sentence an agent reads, or GANTRY_CANCELLED.
  Status check() const;
  bool spent() const;  // the same question, without a sentence

  static std::int64_t now_ns();
  static Budget for_ms(std::int64_t milliseconds);  // from now on, not cancellable
};

}  // namespace gantry::data
