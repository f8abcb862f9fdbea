// plan/text_match.hpp: $text in the first stage of a pipeline. Throws QueryError.
//
// A full-text index evaluates it, so it is always a condition of the statement that reads the
// class, with pushdown or without; see filter/columns/text_search.hpp for its forms.
#pragma once

#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

struct TextMatch {
  Value filter;  // the conditions with $text, for Read::filter; missing: no $text
  Value stages;  // without them; as many as before
};

// Removes $text from the first $match of `stages` over `cls`, a class with columns or null.
TextMatch take_text(const ClassView* cls, const Value& stages);

// The stages that the database runs, including the conditions that take_text() removed.
Array with_text(const Value& filter, Array pushed);

}  // namespace gantry::data
