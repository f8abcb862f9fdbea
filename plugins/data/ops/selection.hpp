// ops/selection.hpp: the fields that a read returns, and the pointers that it replaces by objects.
//
// Made from a Shape; a tree, one node per class on an include path.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ops/include_narrowing.hpp"
#include "plan/read.hpp"

namespace gantry::data {

// Names that every object has, whatever the names of its columns.
inline bool is_common_field(std::string_view name) {
  return name == kObjectId || is_date_role(name);
}

// The parts of a stored JSON value to keep, as a tree of names; an empty tree keeps everything.
struct JsonPaths {
  std::map<std::string, JsonPaths, std::less<>> below;
};

struct Selection {
  const ClassView* cls = nullptr;
  std::vector<std::string_view>
      common;  // of id_alias(), createdAt, updatedAt: those that are shown
  std::vector<const FieldView*> fields;  // complete fields, in the requested order
  bool with_nulls = true;                // NULL is shown; false: such a field is left out
  std::vector<std::pair<const FieldView*, JsonPaths>>
      parts;                                               // JSON fields that are returned in part
  std::map<std::string, Selection, std::less<>> includes;  // by pointer field, also in `fields`

  // The included pointers that show less than all fields, see include_narrowing.hpp.
  std::vector<NarrowedPointer> narrowed;

  // A copy without one root field, for answers that would be too large.
  Selection without(std::string_view field) const;
};

// Throws QueryError. Limits: include paths have at most 5 pointers. In the form JsonDialect::plain
// the common names are shown if they are requested, and objectId if nothing is and the key is not
// one column; a NULL is shown if its field is requested. In the form parse all are shown.
Selection select_fields(const ReadContext& context, const ClassView& cls, const Shape& shape);

}  // namespace gantry::data
