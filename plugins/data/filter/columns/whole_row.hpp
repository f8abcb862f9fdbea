// filter/columns/whole_row.hpp: MongoDB conditions of a where that apply to a row as a whole.
//
// {$expr: …}, {$sampleRate: …}, {$alwaysTrue: 1} and {$alwaysFalse: 1} are evaluated by the
// engine's conditions, as in a $match. gantry_match_row(?, column, …) passes the columns that they
// read, and the engine sees the row as a document of a pipeline.
#pragma once

#include "filter/columns/binder.hpp"

namespace gantry::data::columns {

// The predicate of such a condition, whose slots are those of the context's parser. Refuses fields
// that are unknown or internal.
Fragment whole_row_sql(const filter::ConditionPtr& condition, const Context& context);

}  // namespace gantry::data::columns
