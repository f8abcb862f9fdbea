// sql/key_values.hpp: SQL that uses an index to find rows with one of many values.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "values/fragment.hpp"
#include "values/value.hpp"
#include "view/field_form.hpp"

namespace gantry::data {

// As many values as a power of two, the last one repeated: few different SQL texts, which the
// statement cache can reuse.
std::vector<Bind> padded(std::vector<Bind> values);

// "column IN (?,?)". There must be a value.
Fragment in_list(std::string_view column, const std::vector<Bind>& values);

// What a column stores whose plain value equals one of some values.
struct StoredKeys {
  bool or_null = false;
  std::vector<Bind> binds;  // padded
};
StoredKeys stored_keys(const Array& values);

// True for every row whose column stores one of `keys`; it may be true for other rows too.
Fragment is_one_of(std::string_view column, const StoredKeys& keys);

// The same for a field whose values, as `form` makes them, equal one of `values`. Empty if SQL
// cannot express it: for JSON, dates and booleans.
std::optional<Fragment> stored_as_one_of(const Field& field, const FieldForm& form,
                                         const Array& values);

}  // namespace gantry::data
