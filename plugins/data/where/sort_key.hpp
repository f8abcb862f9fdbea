// where/sort_key.hpp: values of a JSON column as bytes that order as MongoDB orders the values.
#pragma once

#include <memory>
#include <string_view>

#include "sql/matcher.hpp"
#include "where/column.hpp"

namespace gantry::data::where {

// A matcher whose key() orders rows by the values at `path` below the column (empty: the column
// itself). Of several values, found through arrays, the least counts, descending the greatest; an
// empty array is below null. Nesting beyond 200 levels does not count.
std::shared_ptr<const Matcher> make_sort_key(const Column& column, std::string_view path,
                                             bool descending);

}  // namespace gantry::data::where
