// ops/document_include.hpp: replaces pointers in documents by the objects they point to.
//
// A pointer is {"__type":"Pointer","className":…,"objectId":…}, alone or in an array; an included
// object begins with {"__type":"Object","className":…}. Pointers to classes outside of the
// request's scope, and to missing objects, stay. Throws QueryError.
#pragma once

#include <string_view>
#include <vector>

#include "plan/read.hpp"
#include "values/value.hpp"

namespace gantry::data {

// Throws QueryError for a path of more than 5 pointers.
void check_includes(const Shape& shape);

// Of documents read by their objectIds each id once: if several have the same one, that whose _id
// is exactly the text, else the first.
Array one_of_each_id(Array documents);

void include_pointers(const ReadContext& context, const std::vector<std::string_view>& paths,
                      Array& documents);

}  // namespace gantry::data
