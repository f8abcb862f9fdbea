// where/whole_row.hpp: conditions of a where on a row as a whole, in MongoDB's words.
//
// {$expr: …}, {$sampleRate: …}, {$alwaysTrue: 1} and {$alwaysFalse: 1} are read and decided by the
// engine's own conditions, as in a $match. The columns that they read go to the engine by
// gantry_match_row(?, column, …), which sees the row as the document of a pipeline.
#pragma once

#include <string_view>

#include "where/parser.hpp"

namespace gantry::data::where {

bool is_of_whole_row(std::string_view op);

// The predicate of {op: operand}. Refuses what the engine refuses, in its words, and fields that
// the class does not have or that nobody sees.
Fragment whole_row_sql(std::string_view op, const Json& operand, const Context& context);

}  // namespace gantry::data::where
