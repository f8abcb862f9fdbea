// ops/text_match.hpp: $text at the beginning of a pipeline. Throws QueryError.
//
// A full-text index answers it, so it is a condition of the statement that reads the class's rows,
// whatever else of the pipeline the database runs; see where/text_search.hpp for its forms.
#pragma once

#include "ops/request.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct TextMatch {
  Fragment where;  // empty: no $text
  Value stages;    // without it; as many as before
  Value pushed;    // what `where` says, as conditions of a $match
};

// Takes $text out of the first $match of `stages` over `cls`, a class with columns or null.
TextMatch take_text(const Request& request, const ClassInfo* cls, const Value& stages);

// The stages that the database runs, with what take_text() took out of the first.
Array with_text(const Value& pushed_text, Array pushed);

}  // namespace gantry::data
