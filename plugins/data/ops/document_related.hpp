// ops/document_related.hpp: evaluates sub-queries in a `where` over documents.
#pragma once

#include <string_view>

#include "filter/columns/where.hpp"
#include "ops/request.hpp"
#include "values/value.hpp"

namespace gantry::data {

// True for $inQuery, $notInQuery, $select, $dontSelect.
bool is_related(std::string_view op);

// The operand of the $in or $nin that replaces `op`. Throws QueryError.
Array related_values(const Request& request, std::string_view op, const Value& operand, int depth);

// A function with which a where over columns queries document classes; the request must outlive it.
// `depth`: the number of enclosing sub-queries.
AskDocuments documents_of(const Request& request, int depth);

}  // namespace gantry::data
