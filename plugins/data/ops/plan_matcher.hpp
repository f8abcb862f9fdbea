// ops/plan_matcher.hpp: conditions of a $match that only the engine can decide, inside SQL.
//
// A condition on one column runs as gantry_match(?, column): the column's value becomes the
// document that the engine would see, and the engine's own condition decides. So the answer is
// the engine's by construction, and what follows the $match can still run in the database.
#pragma once

#include <memory>

#include "catalog/catalog.hpp"
#include "match/condition.hpp"
#include "rows/value_reader.hpp"
#include "sql/matcher.hpp"

namespace gantry::data {

// Rows whose column, read by `reader` (of one column), passes `filter`. One thread at a time.
// QueryError: the filter is none.
std::shared_ptr<const Matcher> condition_matcher(ValueReader reader, const Value& filter);

// Texts that are UTF-8, which are strings; all others are binary data to the engine.
std::shared_ptr<const Matcher> string_matcher();

// Dates as texts of one shape (see iso_shape()), so that they order as their instants do.
std::shared_ptr<const Matcher> shape_matcher(std::string shape);

}  // namespace gantry::data
