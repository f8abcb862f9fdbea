// sql/seen_text.hpp: stored texts in SQL as the agent sees them.
//
// A text, or bytes, that begin as JSON lose what no agent sees of stored JSON
// (view/field_form.hpp), in every column that may hold them. Pure functions; any thread.
#pragma once

#include <string>

#include "values/fragment.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// Whether values of the field are read as seen_text(): where rules hold, of every column of texts;
// elsewhere where the sample has such a value. Numbers, dates and keys stay as they are: statements
// use their indexes. A column of type STRING or UUID has numeric affinity, and texts. `form` is the
// field's own, also of stored JSON, which has another way into SQL.
bool may_hold_json(const Field& field, const FieldForm& form, const ClassView& cls);

// True for a stored text that begins with a bracket, a blank or a control, and for bytes.
std::string may_be_json(const Field& field);

// The value as the agent sees it; in comparisons it keeps the collation and affinity of its column.
Fragment seen_text(const Field& field, const FieldForm& form);

}  // namespace gantry::data
