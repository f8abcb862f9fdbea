// sql/scalar.hpp: compares one column with values, in SQL that can use an index.
//
// Every fragment is true exactly for the matching rows, and false or NULL for others. It is a
// single SQL operand: a constant, a call or parenthesised.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/dialect.hpp"

namespace gantry::data {

// Of the stored values, whatever FieldForm makes of them. No dates.
Fragment compare_sql(const Field& field, Order order, const Value& value);
Fragment one_of_sql(const Field& field, const OneOf& set);

// Dates stored as numbers: only the operand is converted. `field.date_form` is not a text form.
Fragment date_compare_sql(const Field& field, Order order, std::int64_t millis);

// A range that contains every text that may represent a matching instant. It is wider than the test
// itself, because texts have zones and several shapes. Empty if there is no bound.
Fragment date_text_range(const Field& field, Order order, std::int64_t millis);

// Matches texts that begin with `prefix`; empty if an index could not be used.
Fragment prefix_sql(const Field& field, const std::string& prefix);

// "typeof(c)='text'", or empty if the database guarantees the column's type; and the same before an
// AND.
std::string type_test(const Field& field, Value::Type type);
std::string type_guard(const Field& field, Value::Type type);

// The type guard for the field's stored kind; empty for Kind::any.
std::string stored_guard(const Field& field);

// The column as an operand that is compared bytewise, whatever its collation.
std::string by_bytes(const Field& field);

// Joined with " AND " or " OR ", parenthesised, as a balanced tree: SQLite limits the depth of
// expressions, not their number. Without parts the result is `empty`.
Fragment joined(std::vector<Fragment> parts, std::string_view word, std::string_view empty);

}  // namespace gantry::data
