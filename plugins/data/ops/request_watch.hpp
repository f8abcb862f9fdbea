// ops/request_watch.hpp: whether a request still has time and somebody who waits for it.
#pragma once

#include <cstdint>

#include "store/budget.hpp"

namespace gantry::data {

// Looks at the clock and at the flag of the caller now and then: after so many ticks, and at the
// first one after a few milliseconds, for what lies between two ticks may take long. One thread.
class RequestWatch {
 public:
  // The budget outlives this.
  explicit RequestWatch(const Budget& budget);
  // Throws QueryError, timeout or cancelled, when the budget is spent.
  void look();
  // The same, as expression contexts call it: `self` is the watch.
  static void tick(void* self) { static_cast<RequestWatch*>(self)->look(); }

 private:
  const Budget& budget_;
  unsigned ticks_ = 0;
  std::int64_t looked_;
};

}  // namespace gantry::data
