// sql/row_matcher.hpp: decides about several columns of one row what SQL cannot express.
//
// Bound like any Matcher, called by gantry_match_row(?, column, …) for each row that the statement
// looks at. As one call may compute for long, it takes steps of the query's Spending, and TimeSpent
// ends the statement. Everything else is as in sql/matcher.hpp.
#pragma once

#include <cstddef>
#include <span>

#include "sql/matcher.hpp"

namespace gantry::data {

inline constexpr std::size_t kMostRowColumns = 90;  // of one call; functions take 100 arguments

class RowMatcher : public Matcher {
 public:
  bool match(const StoredValue&) const final { return false; }
  // `row`: the columns of the call, in its order.
  virtual bool match_row(std::span<const StoredValue> row) const = 0;
};

}  // namespace gantry::data
