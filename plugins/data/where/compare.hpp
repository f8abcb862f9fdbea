// where/compare.hpp: a column compared with values, in SQL that agrees with match/ about every row.
//
// The value of a row is what FieldForm makes of the stored one: a stored 1 may be a boolean, a text
// a date. Pure; any thread.
#pragma once

#include <optional>

#include "where/node.hpp"

namespace gantry::data::where {

// True exactly for the rows whose value satisfies `order` against `operand`; false or NULL for
// others. Empty: SQL cannot express it.
std::optional<Fragment> exact_compare(const Field& field, const FieldForm& form, Order order,
                                      const Value& operand);
// The same for a value that equals one of the set.
std::optional<Fragment> exact_one_of(const Field& field, const FieldForm& form, const OneOf& set);

// True for those rows and perhaps others, in a form that can use an index; empty text: all rows.
Fragment compare_bounds(const Field& field, const FieldForm& form, Order order,
                        const Value& operand);
Fragment one_of_bounds(const Field& field, const FieldForm& form, const OneOf& set);

}  // namespace gantry::data::where
