// plan/typed_conditions.hpp: conditions of a $match on fields of a class, see typed_stages.hpp.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// The fields of a class that stages have not replaced yet.
struct Fields {
  const ClassView* cls = nullptr;             // null: none
  std::set<std::string, std::less<>> hidden;  // replaced by stages

  // True for pointers to classes of the scope.
  bool is_pointer(std::string_view name) const;
  bool is_date(std::string_view name) const;
  const FieldView* find(std::string_view name) const;
};

// `condition` is an object; it need not be valid.
Value bind_condition(const Value& condition, const Fields& fields);

}  // namespace gantry::data
