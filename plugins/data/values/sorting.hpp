// values/sorting.hpp: a stable sort within the budget of a query.
//
// Each comparison is a step and the merge buffer is charged, so sorting many values stops at the
// query's limits. One thread.
#pragma once

#include <algorithm>
#include <iterator>

#include "values/spending.hpp"

namespace gantry::data {

template <class Range, class Below>
void sort_stably(Range& range, const Below& below) {
  const auto count = static_cast<std::size_t>(std::distance(range.begin(), range.end()));
  const Charge buffer((count + 1) / 2 * sizeof(*range.begin()));
  Spending* const spending = Spending::current();
  std::stable_sort(range.begin(), range.end(), [&](const auto& a, const auto& b) {
    if (spending != nullptr) spending->step();
    return below(a, b);
  });
}

}  // namespace gantry::data
