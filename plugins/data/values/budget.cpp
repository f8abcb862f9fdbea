#include "values/budget.hpp"

#include <time.h>

namespace gantry::data {

std::int64_t Budget::now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Budget Budget::for_ms(std::int64_t milliseconds) {
  Budget budget;
  budget.deadline_ns = now_ns() + milliseconds * 1'000'000;
  return budget;
}

bool Budget::spent() const {
  return (cancelled && cancelled()) || (deadline_ns != 0 && now_ns() >= deadline_ns);
}

Status Budget::check() const {
  if (cancelled && cancelled()) return {GANTRY_CANCELLED, "The call was cancelled."};
  if (deadline_ns != 0 && now_ns() >= deadline_ns) {
    return {GANTRY_TIMED_OUT, "Query exceeded time limit. Narrow the filter or add an index."};
  }
  return Status::ok();
}

}  // namespace gantry::data
