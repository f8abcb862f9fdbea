// where/scalar.hpp: one column against values, as SQL that an index can still serve.
//
// Every fragment is true exactly for the rows that pass; for the others it is false or NULL. It is
// one operand: a constant, a call or parenthesised.
#pragma once

#include "where/node.hpp"

namespace gantry::data::where {

// Of values whose type the column holds (see to_operand), dates excepted.
Fragment compare_sql(const Field& field, Order order, const View& value);
Fragment one_of_sql(const Field& field, const ValueSet& set);

// Dates as numbers: only the operand is converted. `field.date_form` is none of text.
Fragment date_compare_sql(const Field& field, Order order, std::int64_t millis);

// A range that holds every text that may be read as an instant passing the test, wider than the
// test itself because texts have zones and several shapes. Empty when nothing bounds it.
Fragment date_text_range(const Field& field, Order order, std::int64_t millis);

// Rows whose text begins with `prefix`; empty when an index could not serve it.
Fragment prefix_sql(const Field& field, const std::string& prefix);

// "typeof(c)='text' AND ", or nothing when the database guarantees the column's kind.
std::string type_guard(const Field& field, View::Type type);

// The guard of a field whose kind is that of its storage; nothing for Kind::any.
std::string stored_guard(const Field& field);

// The column as an operand that is compared by bytes, whatever its collation.
std::string by_bytes(const Field& field);

// Joined with " AND " or " OR ", parenthesised and nested in halves: SQLite bounds the depth of
// expressions, not their number. Nothing gives `empty`.
Fragment joined(std::vector<Fragment> parts, std::string_view word, std::string_view empty);

}  // namespace gantry::data::where
