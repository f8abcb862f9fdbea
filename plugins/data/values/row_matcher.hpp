// values/row_matcher.hpp: decides conditions on several columns of a row that SQL cannot express.
//
// Bound like any Matcher and called by gantry_match_row(?, column, …) for each row that the
// statement visits. One call may take long, so it counts steps of the query's Spending, and
// TimeSpent ends the statement. Otherwise as in values/matcher.hpp.
#pragma once

#include <cstddef>
#include <span>

#include "values/matcher.hpp"

namespace gantry::data {

// Of one call; SQLite functions take at most 100 arguments.
inline constexpr std::size_t kMostRowColumns = 90;

class RowMatcher : public Matcher {
 public:
  bool match(const StoredValue&) const final { return false; }
  // `row`: the columns of the call, in its order.
  virtual bool match_row(std::span<const StoredValue> row) const = 0;
};

}  // namespace gantry::data
