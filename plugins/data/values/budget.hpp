// values/budget.hpp: the limits of one query: its deadline, its cancellation by the caller, and the
// memory of its values.
//
// A value; copied into the lease and into the Spending (values/spending.hpp) of the work.
// `cancelled` is called on the working thread, often (every thousand operations of a statement): it
// should only read a flag, must not throw and must stay callable until the lease ends.
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
  std::size_t bytes = kBytes;       // limit of all values alive at the same time

  // OK, GANTRY_TIMED_OUT with the sentence for the agent, or GANTRY_CANCELLED.
  Status check() const;
  bool spent() const;  // whether check() would fail

  static std::int64_t now_ns();
  static Budget for_ms(std::int64_t milliseconds);  // from now on, not cancellable
};

}  // namespace gantry::data
