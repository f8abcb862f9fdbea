// ops/sampled_fields.hpp: the fields of documents and the keys of JSON columns, by a sample of the
// rows that the request's agent may see.
#pragma once

#include <vector>

#include "ops/request.hpp"
#include "ops/seen_fields.hpp"

namespace gantry::data {

// Of an open class. Reads the first 200 documents, or as many as 4 MiB hold. Fields come in order
// of appearance; a field with different kinds is `any`. Rows that do not hold a document are
// skipped.
std::vector<SeenField> seen_fields(const Request& request, const ClassView& cls);

// Of a class with columns: those that hold JSON, with the keys in the first 200 rows, or in as many
// as 4 MiB hold or as can be read in 200 ms.
std::vector<SeenField> seen_json_columns(const Request& request, const ClassView& cls);

}  // namespace gantry::data
