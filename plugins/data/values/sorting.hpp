// values/sorting.hpp: a stable sort within what a query may spend.
//
// Each comparison is a step, and the buffer that merging takes is charged; so a sort of many values
// ends with the query. One thread.
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
