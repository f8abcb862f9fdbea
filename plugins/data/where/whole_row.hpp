// where/whole_row.hpp: MongoDB conditions of a where that apply to a row as a whole.
//
// {$expr: …}, {$sampleRate: …}, {$alwaysTrue: 1} and {$alwaysFalse: 1} are parsed and evaluated by
// the engine's conditions, as in a $match. gantry_match_row(?, column, …) passes the columns that
// they read, and the engine sees the row as a document of a pipeline.
#pragma once

#include <string_view>

#include "where/parser.hpp"

namespace gantry::data::where {

bool is_of_whole_row(std::string_view op);

// The predicate of {op: operand}. Throws the engine's errors for an invalid operand, and refuses
// fields that are unknown or internal.
Fragment expr_matcher_sql(std::string_view op, const Value& operand, const Context& context);

}  // namespace gantry::data::where
