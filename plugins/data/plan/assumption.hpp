// plan/assumption.hpp: whether a row violates what a statement assumes of all rows.
//
// One thread. Errors are thrown as QueryError: the database's and the budget's.
#pragma once

#include "plan/class_source.hpp"
#include "plan/context.hpp"

namespace gantry::data {

// True if one of the rows of `where` (empty: all) satisfies `exception`. The first request looks at
// these rows alone, which costs less than the sort. A repeated request looks at the whole class;
// that there is none is remembered until the next commit or catalog.
bool has_row(const ReadContext& context, ClassSource& source, const ClassView& cls,
             const Predicate& where, const Predicate& exception);

enum class Look { nothing, row, unfinished };
// Whether a row of the class satisfies `exception`, by a look of at most 50 ms: of a class without
// rules, where the time of a look tells nothing. A result other than `row` counts until the next
// commit, and for twenty times as long as the look took, so that looks take a small part of the
// time where others commit all the time; and never for another schema or model.
Look short_look(const ReadContext& context, const ClassView& cls, const Predicate& exception);

}  // namespace gantry::data
