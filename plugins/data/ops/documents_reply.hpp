// ops/documents_reply.hpp: writes the documents of a pipeline as the JSON of an answer.
#pragma once

#include <map>
#include <string>

#include "ops/request.hpp"
#include "plan/read.hpp"
#include "plan/typing/type.hpp"
#include "rows/class_reader.hpp"
#include "values/value.hpp"

namespace gantry::data {

// The type of the documents of a read.
typing::TypePtr documents_of(const ReadContext& context, const Read& read);
// The documents of a read in the row form `parse`.
void put_in_parse_form(const ReadContext& context, const Read& read, Array& documents);

// Replaces pointers by the bare id in fields where all pointers lead to one class and all values
// are pointers: at the root, and one level below _id ("_id.home"). Returns the class by field.
std::map<std::string, std::string> compact_pointers(Array& documents);

// The JSON array. Throws QueryError with a list of the largest fields when it would be too large.
std::string documents_json(const Request& request, const Array& documents, JsonDialect dialect);

}  // namespace gantry::data
