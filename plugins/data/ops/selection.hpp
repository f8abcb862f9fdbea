// ops/selection.hpp: the fields that a read returns, and the pointers that it replaces by objects.
//
// Made from a Shape; a tree, one node per class on an include path.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plan/read.hpp"

namespace gantry::data {

// Fields that every object has in answers, whatever was requested.
inline bool is_common_field(std::string_view name) {
  return name == "objectId" || is_date_role(name);
}

// The parts of a stored JSON value to keep, as a tree of names; an empty tree keeps everything.
struct JsonPaths {
  std::map<std::string, JsonPaths, std::less<>> below;
};

struct Selection {
  const ClassView* cls = nullptr;
  std::vector<const FieldView*> fields;  // complete fields, in the requested order
  std::vector<std::pair<const FieldView*, JsonPaths>>
      parts;                                               // JSON fields that are returned in part
  std::map<std::string, Selection, std::less<>> includes;  // by pointer field, also in `fields`

  // A copy without one root field, for answers that would be too large.
  Selection without(std::string_view field) const;
};

// Throws QueryError. Limits: include paths have at most 5 pointers.
Selection select_fields(const Scope& scope, const ClassView& cls, const Shape& shape);

}  // namespace gantry::data
