// ops/document_related.hpp: the values of sub-queries in a `where` over documents.
#pragma once

#include <string_view>

#include "ops/request.hpp"
#include "values/value.hpp"
#include "where/documents.hpp"

namespace gantry::data {

// $inQuery, $notInQuery, $select, $dontSelect.
bool is_related(std::string_view op);

// What $in or $nin is asked for in place of `op`. Throws QueryError.
Array related_values(const Request& request, std::string_view op, const rapidjson::Value& operand,
                     int depth);

// How a where over columns asks classes of documents, at most while the request lives. `depth`: of
// the sub-queries around it.
AskDocuments documents_of(const Request& request, int depth);

}  // namespace gantry::data
