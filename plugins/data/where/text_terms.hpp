// where/text_terms.hpp: MongoDB's language of $search as FTS5's.
//
// Words are alternatives, "phrases" in quotes must all be there, -words and -"phrases" must not. A
// minus begins a negation only behind white space and ends with the next; elsewhere it separates
// words. Words count only where there is no phrase. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::data::where {

struct TextTerms {
  std::vector<std::string> words, phrases, negated;  // none has a quote in it

  bool finds_nothing() const { return words.empty() && phrases.empty(); }
  std::size_t count() const { return words.size() + phrases.size() + negated.size(); }
};

TextTerms read_text_terms(std::string_view search);

// What FTS5 is asked: every term in quotes, so that none is taken for FTS5's own words and signs.
// `terms` find something.
std::string fts5_query(const TextTerms& terms);

}  // namespace gantry::data::where
