// sql/dialect.hpp: what a store's SQL can say of one column's values: exactly, wider, or nothing.
//
// The value of a row is what FieldForm makes of the stored one: a stored 1 may be a boolean, a text
// a date. Exact SQL agrees with filter/ about every row; where there is none, the store runs a row
// matcher behind the wider SQL. Immutable; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "values/fragment.hpp"
#include "values/value.hpp"
#include "view/field_form.hpp"

namespace gantry::data {

enum class Order : std::uint8_t { eq, gt, gte, lt, lte };

// Sorted by compare(), without duplicates; null is the first.
struct OneOf {
  explicit OneOf(Array values);
  const Array& values() const { return list.elements(); }
  bool has_null() const { return !values().empty() && values().front().is_nullish(); }

  Value list;
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  // True exactly for the rows whose value satisfies `order` against `operand`; false or NULL for
  // others. Empty: SQL cannot express it.
  virtual std::optional<Fragment> compare(const Field& field, const FieldForm& form, Order order,
                                          const Value& operand) const = 0;
  // The same for a value that equals one of the set.
  virtual std::optional<Fragment> one_of(const Field& field, const FieldForm& form,
                                         const OneOf& set) const = 0;

  // True for those rows and perhaps others, in a form that can use an index; empty text: all rows.
  virtual Fragment compare_bounds(const Field& field, const FieldForm& form, Order order,
                                  const Value& operand) const = 0;
  virtual Fragment one_of_bounds(const Field& field, const FieldForm& form,
                                 const OneOf& set) const = 0;
  // Texts that begin with `prefix`; empty text: SQL cannot express it, or not with an index.
  virtual Fragment prefix(const Field& field, const std::string& prefix) const = 0;
};

const Dialect& sqlite_dialect();
// Says nothing: every comparison with a value is a row matcher's. Shows that the engine needs no
// more of a store, and that the other dialect agrees with the matchers.
const Dialect& mute_dialect();

}  // namespace gantry::data
