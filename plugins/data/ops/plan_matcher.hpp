// ops/plan_matcher.hpp: evaluates engine conditions of a $match inside SQL.
//
// A condition on one column runs as gantry_match(?, column): the column's value is converted to the
// document that the engine would see, and the engine's condition is applied. The result is the
// engine's by construction, and the stages after the $match can still run in the database.
#pragma once

#include <memory>

#include "catalog/catalog.hpp"
#include "match/condition.hpp"
#include "rows/value_reader.hpp"
#include "sql/matcher.hpp"

namespace gantry::data {

// Accepts rows whose column, read by `reader` (of one column), satisfies `filter`. One thread at a
// time. Throws QueryError if `filter` is invalid.
std::shared_ptr<const Matcher> condition_matcher(ValueReader reader, const Value& filter);

// Accepts date texts of this shape (see iso_shape()); texts of one shape sort by time.
std::shared_ptr<const Matcher> shape_matcher(std::string shape);

}  // namespace gantry::data
