#include "ops/request_watch.hpp"

#include <time.h>

#include "ops/request.hpp"
#include "values/query_error.hpp"

namespace gantry::data {
namespace {

// The clock of the last timer interrupt: a few milliseconds off, and next to nothing to read.
std::int64_t coarse_now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace

RequestWatch::RequestWatch(const Budget& budget) : budget_(budget), looked_(coarse_now_ns()) {}

void RequestWatch::look() {
  constexpr unsigned kTicksALook = 128;
  const std::int64_t now = coarse_now_ns();
  if (++ticks_ % kTicksALook != 0 && now == looked_) return;
  looked_ = now;
  if (!budget_.spent()) return;
  throw QueryError(store_error(budget_.check()));
}

}  // namespace gantry::data
