// sql/seen_text.hpp: stored texts in SQL as the agent sees them.
//
// A text, or bytes, that begin as JSON lose what no agent sees of stored JSON
// (view/field_form.hpp), in every column that may hold them. Pure functions; any thread.
#pragma once

#include "sql/predicate.hpp"
#include "values/fragment.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// Whether a value of the field may be such a text: not of a class all of whose rows were sampled,
// unless one was found or rules hold. Numbers and keys stay as they are. A column of type STRING or
// UUID has numeric affinity, and texts. `form` is the field's own, also of stored JSON, which has
// another way into SQL.
bool may_hold_json(const Field& field, const FieldForm& form, const ClassView& cls);

// Of such a field, if an index may serve it: statements read the column itself as long as no row
// satisfies hides_text(). False where rules hold: the look for one could itself tell of rows.
bool is_assumed_bare(const Field& field, const ClassView& cls);

// True for rows of whose text in the field the agent sees less.
Predicate hides_text(const Field& field, const FieldForm& form);

// The value as the agent sees it, for an order by its bytes.
Fragment seen_by_bytes(const Field& field, const FieldForm& form);
// The value as the agent sees it, with the collation and affinity of its column, which comparisons
// use.
Fragment seen_column(const Field& field, const FieldForm& form);

}  // namespace gantry::data
