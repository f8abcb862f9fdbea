// plan/assumption.hpp: whether a row violates what a statement assumes of all rows.
//
// One thread. Errors are thrown as QueryError: the database's and the budget's.
#pragma once

#include "plan/class_source.hpp"
#include "plan/context.hpp"

namespace gantry::data {

// What a look of this request sees.
VerifiedAssumptions::State state_of(const ReadContext& context);

// True if one of the rows of `where` (empty: all) satisfies `exception`. The first request looks at
// these rows alone, which costs less than the sort. A repeated request looks at the whole class;
// that there is none is remembered until the next commit or catalog.
bool has_row(const ReadContext& context, ClassSource& source, const ClassView& cls,
             const Predicate& where, const Predicate& exception);

}  // namespace gantry::data
