// ops/document_where.hpp: a caller's `where` over a document class, in MongoDB's words.
//
// Everything that MongoDB knows stays as it is. What it does not know is said with what it knows:
//   - objectId: equality with the text of _id, whatever type the operand has; <, > and the like
//     mean _id itself;
//   - $$ROOT and $$CURRENT of $expr: the document without that objectId;
//   - pointers: their members in the order in which they are stored;
//   - $inQuery, $notInQuery, $select, $dontSelect: the values that the sub-query gives now, of a
//     class of either kind. $inQuery matches pointers to the objects and their bare ids.
//
// Throws QueryError. Limits: sub-queries nest 20 deep and give at most 10,000 values each.
#pragma once

#include "ops/request.hpp"
#include "values/value.hpp"

namespace gantry::data {

// The condition that the argument `where` stands for; missing when there is none. It is about
// documents that begin with their objectId.
Value document_where(const Request& request);
Value document_condition(const Request& request, const rapidjson::Value& where, int depth = 0);

}  // namespace gantry::data
