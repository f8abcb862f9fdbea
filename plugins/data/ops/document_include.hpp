// ops/document_include.hpp: replaces pointers in documents by the objects they point to.
//
// A pointer is {"__type":"Pointer","className":…,"objectId":…}, alone or in an array; an included
// object begins with {"__type":"Object","className":…}. Pointers to classes outside of the
// request's scope, and to missing objects, stay. Throws QueryError.
#pragma once

#include <string_view>
#include <vector>

#include "ops/include_narrowing.hpp"
#include "plan/read.hpp"
#include "values/value.hpp"

namespace gantry::data {

// Throws QueryError for a path of more than 5 pointers.
void check_includes(const Shape& shape);

// Of documents read by their objectIds each id once: if several have the same one, that whose _id
// is exactly the text, else the first.
Array one_of_each_id(Array documents);

// Returns the pointers whose objects are narrowed (include_narrowing.hpp).
std::vector<NarrowedPointer> include_pointers(const ReadContext& context, const Shape& shape,
                                              Array& documents);

}  // namespace gantry::data
