// filter/columns/text_terms.hpp: translates MongoDB's $search language to FTS5's.
//
// Words are alternatives; all quoted "phrases" must occur; -words and -"phrases" must not. A minus
// starts a negation only after white space, and the negation ends at the next white space;
// elsewhere a minus separates words. Words are ignored if there is a phrase. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::data::columns {

struct TextTerms {
  std::vector<std::string> words, phrases, negated;  // without quotes

  bool finds_nothing() const { return words.empty() && phrases.empty(); }
  std::size_t count() const { return words.size() + phrases.size() + negated.size(); }
};

TextTerms read_text_terms(std::string_view search);

// The FTS5 query: every term is quoted, so that none is read as FTS5 syntax. `terms` must contain a
// word or a phrase.
std::string fts5_query(const TextTerms& terms);

}  // namespace gantry::data::columns
