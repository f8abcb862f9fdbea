// ops/document_schema.hpp: which fields the documents of a class have, as far as a look tells.
#pragma once

#include <string>
#include <vector>

#include "ops/request.hpp"

namespace gantry::data {

struct SeenField {
  std::string name;
  Kind kind = Kind::any;
};

// Of the first 200 documents, or as many as 4 MiB hold, in the order in which they are first seen;
// kinds that differ make `any`. Rows that hold no document are passed over.
std::vector<SeenField> seen_fields(const Request& request, const ClassInfo& cls);

}  // namespace gantry::data
