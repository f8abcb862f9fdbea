// plan/sub_queries.hpp: the values of a `where`'s sub-queries, for filters over documents.
#pragma once

#include <string_view>

#include "filter/columns/sub_query.hpp"
#include "filter/columns/where.hpp"
#include "plan/context.hpp"
#include "values/value.hpp"

namespace gantry::data {

// The operand of the $in or $nin that replaces `op`. Throws QueryError.
Array related_values(const ReadContext& context, std::string_view op,
                     const columns::SubQuery& query, int depth);

// A function with which a where over columns queries document classes; the context must outlive it.
// `depth`: the number of enclosing sub-queries.
AskDocuments documents_of(const ReadContext& context, int depth);

}  // namespace gantry::data
