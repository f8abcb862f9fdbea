// ops/sql/marked_texts.hpp: texts of which agents see less, in columns that statements read as they
// are.
//
// A statement uses the indexes of a column that has texts (sql/seen_text.hpp, is_assumed_bare()) as
// long as none of them holds an internal member or a hidden pointer, by a short look
// (plan/assumption.hpp). One thread.
#pragma once

#include <memory>

#include "ops/request.hpp"

namespace gantry::data {

// The class for a statement if some such column has such a text: the column is read as the agent
// sees it, and no index decides the order of rows. If a look did not come to its end, all columns
// are read so. Null: there is none. Throws QueryError.
std::unique_ptr<const ClassView> with_marked_texts(const Request& request, const ClassView& cls);

}  // namespace gantry::data
