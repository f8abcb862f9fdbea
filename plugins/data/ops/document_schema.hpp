// ops/document_schema.hpp: the fields that occur in the documents of a class, by a sample.
#pragma once

#include <string>
#include <vector>

#include "ops/request.hpp"

namespace gantry::data {

struct SeenField {
  std::string name;
  Kind kind = Kind::any;
};

// Reads the first 200 documents, or as many as 4 MiB hold. Fields come in order of appearance; a
// field with different kinds is `any`. Rows that do not hold a document are skipped.
std::vector<SeenField> seen_fields(const Request& request, const ClassView& cls);

}  // namespace gantry::data
