// ops/selection.hpp: which fields a read returns, and which pointers it replaces by objects.
//
// Made from the arguments `keys` and `include`; a tree, one node per class on an include path.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ops/request.hpp"

namespace gantry::data {

// The names every object answers under, whatever was asked for.
inline bool is_common_field(std::string_view name) {
  return name == "objectId" || name == "createdAt" || name == "updatedAt";
}

// Parts of a stored JSON value to keep: names below it; an empty tree keeps everything.
struct JsonPaths {
  std::map<std::string, JsonPaths, std::less<>> below;
};

struct Selection {
  const ClassInfo* cls = nullptr;
  std::vector<const Field*> fields;                        // whole fields, in the order asked for
  std::vector<std::pair<const Field*, JsonPaths>> parts;   // JSON fields of which only parts are
  std::map<std::string, Selection, std::less<>> includes;  // by pointer field, also in `fields`

  // The same without one field of the top level, for answers that would be too large.
  Selection without(std::string_view field) const;
};

// `more_keys` count as if they stood in `keys`. Limits: include paths at most 5 pointers deep.
Outcome<Selection> select_fields(const Request& request, const ClassInfo& cls,
                                 const std::vector<std::string>& more_keys = {});

}  // namespace gantry::data
