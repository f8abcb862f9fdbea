// ops/document_include.hpp: replaces pointers in documents by the objects they point to.
//
// A pointer is {"__type":"Pointer","className":…,"objectId":…}, alone or in an array; an included
// object begins with {"__type":"Object","className":…}. Pointers to classes outside of the
// request's scope, and to missing objects, stay. Throws QueryError.
#pragma once

#include <string_view>
#include <vector>

#include "ops/request.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct Including {
  std::vector<std::string_view> keys;  // the root field of each included path is read whole
  std::vector<std::string_view> paths;
};

// The arguments `keys` and `include`. Paths are at most 5 names long.
Including requested_include(const Request& request);

void include_pointers(const Request& request, const std::vector<std::string_view>& paths,
                      Array& documents);

}  // namespace gantry::data
