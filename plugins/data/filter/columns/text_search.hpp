// filter/columns/text_search.hpp: $text, evaluated by a full-text index of the class.
//
//   {"$text": {"$search": "words \"a phrase\" -without"}}
//   {"title": {"$text": {"$search": {"$term": "words"}}}}     of one field
//
// An index is used only if the caller may see every field in it.
#pragma once

#include "filter/columns/binder.hpp"

namespace gantry::data::columns {

// A test for the rows that the index finds; `field` null: in any of its fields. Refuses searches
// that no index of the class can evaluate, and names the alternatives.
Node text_found(const Subject* field, const Value& operand, const Context& context);

// Refuses a $text inside the list `list` of `op`, which is $or or $nor.
void refuse_text_in(std::string_view op, const Value& list);

}  // namespace gantry::data::columns
