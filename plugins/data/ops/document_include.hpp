// ops/document_include.hpp: pointers in documents, replaced by the objects they point to.
//
// A pointer is {"__type":"Pointer","className":…,"objectId":…}, alone or in an array; its object
// begins with {"__type":"Object","className":…}. Pointers to classes that are not in the request's
// scope, and to objects that are not there, stay. Throws QueryError.
#pragma once

#include <string_view>
#include <vector>

#include "ops/request.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct Including {
  std::vector<std::string_view> keys;  // whole fields where a pointer below them is included
  std::vector<std::string_view> paths;
};

// The arguments `keys` and `include`. Paths are at most 5 names long.
Including requested_include(const Request& request);

void include_pointers(const Request& request, const std::vector<std::string_view>& paths,
                      Array& documents);

}  // namespace gantry::data
