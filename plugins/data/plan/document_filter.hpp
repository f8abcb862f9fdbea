// plan/document_filter.hpp: translates a caller's `where` over a document class to a MongoDB
// filter.
//
// MongoDB's own operators stay unchanged. These extensions are translated:
//   - objectId: equality tests the text of _id, whatever type the operand has; range operators
//     test _id itself;
//   - $$ROOT and $$CURRENT of $expr: the stored document, without the added objectId;
//   - $inQuery, $notInQuery, $select, $dontSelect: the present values of the sub-query, over a
//     class of either kind. $inQuery matches pointers to the objects and their bare ids.
//
// Throws QueryError. Limits: sub-queries nest at most 20 deep and return at most 10,000 values
// each.
#pragma once

#include "plan/context.hpp"
#include "values/value.hpp"

namespace gantry::data {

// It applies to documents that begin with their objectId. `depth`: the number of queries around it.
Value document_filter(const ReadContext& context, const Value& where, int depth);

}  // namespace gantry::data
