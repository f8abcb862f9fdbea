// rows/class_query.hpp: a class as a caller's SQL sees it: its columns, and the sub-query that
// yields them.
//
// Everything comes from the ClassView, and FROM with the boundary and the canonical filter from
// sql/select.hpp. Columns are the visible fields as stored, so that their indexes serve, except for
//   a redacted pointer    {"className":…,"__redacted":true} as text, NULL where it is NULL
//   stored JSON           without internal names and hidden pointers; so are texts and bytes that
//                         begin as JSON, but in columns that statements may read bare
//                         (sql/seen_text.hpp)
//   a date stored as a number   ISO 8601 text
// and, where the statement names one, the other names that get_schema lists: objectId, of the
// rowid, of a key of one column or of the text that joins several, createdAt and updatedAt, of the
// fields with these roles. A document class has the columns _id, objectId and document (the JSON
// that the agent may see); a row without a readable document has NULL in all. Pure functions; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/sql_words.hpp"
#include "values/fragment.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

inline constexpr std::string_view kDocumentColumn = "document";

// `words`: the statement; empty: the columns that SELECT * means.
std::vector<std::string> sql_columns(const ClassView& cls, const std::vector<SqlWord>& words = {});

// The field of such a column, by whichever of its names; null: there is none, as of an objectId
// that is the rowid or joined, and of documents.
const FieldView* sql_field(const ClassView& cls, std::string_view column);
// One name for each column: that of sql_field(), or `column`.
std::string_view column_name(const ClassView& cls, std::string_view column);

// "SELECT … FROM … WHERE …" with these columns, in this order; none: one column without a name.
// `is_ordered`: in the table's own order, else in that of the columns.
Fragment class_query(const ClassView& cls, const std::vector<std::string>& columns,
                     bool is_ordered);

// A date that is stored as a number, and is ISO text in SQL.
bool is_made_date(const FieldView& field);

// Whether two values of the column of sql_columns() may be equal in every order and still differ,
// as 1 and 1.0 do.
bool may_tie_unseen(const ClassView& cls, std::string_view column);

// Whether the column of sql_columns() is the stored value itself, compared as bytes or numbers.
bool is_shown_as_stored(const ClassView& cls, std::string_view column);

// Whether a function of ours makes one of the columns.
bool has_made_column(const ClassView& cls, const std::vector<std::string>& columns);

}  // namespace gantry::data
