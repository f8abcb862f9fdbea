// sql/row_matcher.hpp: decides about several columns of one row what SQL cannot express.
//
// Bound like any Matcher, called by gantry_match_row(?, column, …) for each row that the statement
// looks at. As one call may compute for long, it asks `stop` now and then and throws Stopped when
// the statement is to end. Everything else is as in sql/matcher.hpp.
#pragma once

#include <cstddef>
#include <span>

#include "sql/matcher.hpp"

namespace gantry::data {

inline constexpr std::size_t kMostRowColumns = 90;  // of one call; functions take 100 arguments

struct Stop {
  bool (*asks)(void*) = nullptr;  // null: never
  void* context = nullptr;

  bool is_due() const { return asks != nullptr && asks(context); }
};

struct Stopped {};

class RowMatcher : public Matcher {
 public:
  bool match(const StoredValue&) const final { return false; }
  // `row`: the columns of the call, in its order.
  virtual bool match_row(std::span<const StoredValue> row, const Stop& stop) const = 0;
};

}  // namespace gantry::data
