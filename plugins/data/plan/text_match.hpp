// plan/text_match.hpp: $text in the first stage of a pipeline. Throws QueryError.
//
// A full-text index evaluates it, so it is always a condition of the statement that reads the
// class, with pushdown or without; see where/text_search.hpp for its forms.
#pragma once

#include "plan/context.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct TextMatch {
  Predicate where;  // empty: no $text
  Value stages;     // without $text; as many as before
  Value pushed;     // the conditions in `where`, for a $match
};

// Removes $text from the first $match of `stages` over `cls`, a class with columns or null.
TextMatch take_text(const ReadContext& context, const ClassView* cls, const Value& stages);

// The stages that the database runs, including the conditions removed by take_text().
Array with_text(const Value& pushed_text, Array pushed);

}  // namespace gantry::data
