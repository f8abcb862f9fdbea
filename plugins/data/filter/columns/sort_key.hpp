// filter/columns/sort_key.hpp: encodes values of a JSON column as bytes that sort in MongoDB's
// order.
#pragma once

#include <memory>
#include <string_view>

#include "filter/columns/column.hpp"
#include "values/matcher.hpp"

namespace gantry::data::columns {

// A matcher whose key() sorts rows by the values at `path` below the column (empty: the column
// itself). If arrays give several values, the least one is used; if descending, the greatest. An
// empty array sorts below null. Levels beyond 200 are ignored.
std::shared_ptr<const Matcher> make_sort_key(const Column& column, std::string_view path,
                                             bool descending);

}  // namespace gantry::data::columns
