// where/text_search.hpp: $text, which a full-text index of the class answers.
//
//   {"$text": {"$search": "words \"a phrase\" -without"}}
//   {"title": {"$text": {"$search": {"$term": "words"}}}}     of one field
//
// An index is asked only when every field in it is one that the caller may see.
#pragma once

#include "where/parser.hpp"

namespace gantry::data::where {

// Rows that the index finds; `field` null: by any of its fields. Refuses what no index of the class
// can answer, with what works.
Node text_found(const Subject* field, const Json& operand, const Context& context);

// Refuses a $text among the conditions `list` of `op`, which is $or or $nor.
void refuse_text_in(std::string_view op, const Json& list);

}  // namespace gantry::data::where
