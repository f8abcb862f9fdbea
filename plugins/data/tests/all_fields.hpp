// tests/all_fields.hpp: the fields of a class, for a reader of whole rows.
#pragma once

#include <string_view>
#include <vector>

#include "view/class_view.hpp"

namespace gantry::data::testing {

inline const std::vector<std::string_view> kCommonNames = {kObjectId, kDateRoles[0], kDateRoles[1]};

inline std::vector<const FieldView*> all_fields(const ClassView& cls) {
  std::vector<const FieldView*> fields;
  for (const FieldView& field : cls.fields) fields.push_back(&field);
  return fields;
}

}  // namespace gantry::data::testing
