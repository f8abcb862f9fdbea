// ops/documents_reply.hpp: documents of a pipeline as JSON, as agents read them.
#pragma once

#include <map>
#include <string>

#include "ops/request.hpp"
#include "values/extended_json.hpp"
#include "values/value.hpp"

namespace gantry::data {

// Puts objectId in the place of its alias _id in documents of a class, at the top and in joined
// ones; `is_own`: _id at the top is what a stage made. createdAt and updatedAt become plain ISO
// strings. For classes with columns.
void dress_documents(Array& documents, bool is_own);

// Replaces pointers in a field by the bare id where all of its pointers lead to one class and it
// holds nothing else: at the top, and one level below _id ("_id.home"). What became of them: class
// by field.
std::map<std::string, std::string> compact_pointers(Array& documents);

// How values of a class, or of none, are written: as the class stores them.
Dress dress_of(const ClassInfo* cls);

// The JSON array. Throws QueryError with a ranking of the fields when it would be too large.
std::string documents_json(const Request& request, const Array& documents,
                           Dress dress = Dress::parse);

// The id of a pointer object; missing when it is none.
const Value& pointer_id(const Value& value);

}  // namespace gantry::data
