#include "statement/clauses.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <span>
#include <utility>

#include "catalog/column_type.hpp"
#include "values/ascii.hpp"

namespace gantry::data {
namespace {

using Words = std::span<const SqlWord>;

bool is_one_of(const SqlWord& word, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&word](std::string_view name) { return word.is_bare(name); });
}

// The words without the last ones if these are the names.
bool take_end(Words& term, std::initializer_list<std::string_view> names) {
  if (term.size() <= names.size()) return false;
  const Words end = term.last(names.size());
  std::size_t i = 0;
  for (const std::string_view name : names) {
    if (!end[i++].is_bare(name)) return false;
  }
  term = term.first(term.size() - names.size());
  return true;
}

// A whole number; empty: the text is something else.
std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

// "name", "t.name" or "3", with what may follow a term of ORDER BY.
OrderTerm term_of(Words words) {
  OrderTerm term;
  const bool is_first = take_end(words, {"nulls", "first"});
  const bool is_last = !is_first && take_end(words, {"nulls", "last"});
  term.descends = take_end(words, {"desc"});
  if (!term.descends) take_end(words, {"asc"});
  term.nulls_first = is_first || (!is_last && !term.descends);
  if (words.size() > 2 && words[words.size() - 2].is_bare("collate")) {
    if (!words.back().is_name()) return term;
    term.collation = words.back().text;
    words = words.first(words.size() - 2);
  }
  const bool is_qualified = words.size() == 3 && words[1].is_sign('.') && words[0].is_name();
  if (is_qualified) term.qualifier = words[0].text;
  const bool is_one = words.size() == 1 || is_qualified;
  if (!is_one || !words.back().is_name()) return term;
  const auto number = number_of(words.back().text);
  if (number && words.back().form == SqlWord::Form::bare) {
    term.number = *number;
  } else {
    term.name = words.back().text;
  }
  return term;
}

std::vector<OrderTerm> terms_of(Words words) {
  std::vector<OrderTerm> terms;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    depth += words[i].nesting();
    if (depth != 0 || !words[i].is_sign(',')) continue;
    terms.push_back(term_of(words.subspan(begin, i - begin)));
    begin = i + 1;
  }
  terms.push_back(term_of(words.subspan(begin)));
  return terms;
}

std::optional<std::uint64_t> stated_rows(Words bounds) {
  if (bounds.size() < 2 || bounds[1].form != SqlWord::Form::bare) return {};
  const bool is_last = bounds.size() == 2 || bounds[2].is_bare("offset");
  return is_last ? number_of(bounds[1].text) : std::nullopt;
}

// Where the clauses begin; the number of words: there is none.
struct Places {
  std::size_t group, group_end, order, limit;
};

void note_word(const std::vector<SqlWord>& words, std::size_t i, std::size_t& selects,
               StatementClauses& all) {
  selects += words[i].is_bare("select") ? 1 : 0;
  const bool is_first = selects == 1 && words[i].is_bare("select");
  if (is_first && i + 1 < words.size()) all.is_distinct = words[i + 1].is_bare("distinct");
  if (is_one_of(words[i], {"values", "union", "intersect", "except"})) all.is_single = false;
  all.joins_by_name = all.joins_by_name || is_one_of(words[i], {"natural", "using"});
  all.is_filtered = all.is_filtered || is_one_of(words[i], {"where", "having", "join"});
}

Places places_of(const std::vector<SqlWord>& words, StatementClauses& all) {
  const std::size_t none = words.size();
  Places at{none, none, none, none};
  std::size_t selects = 0;
  int depth = 0;
  for (std::size_t i = 0; i < words.size() && at.limit == none; ++i) {
    depth += words[i].nesting();
    if (depth != 0) continue;
    note_word(words, i, selects, all);
    if (words[i].is_bare("group")) at.group = i;
    const bool ends_groups = is_one_of(words[i], {"having", "window", "order", "limit"});
    if (ends_groups && at.group_end == none) at.group_end = i;
    if (words[i].is_bare("order")) at.order = i;
    if (words[i].is_bare("limit")) at.limit = i;
  }
  all.is_single = all.is_single && selects == 1;
  return at;
}

bool mix_parameters(const std::vector<SqlWord>& words) {
  bool has_numbered = false, has_others = false;
  for (const SqlWord& word : words) {
    const bool is_parameter = word.form == SqlWord::Form::parameter;
    const bool has_number = is_parameter && word.text[0] == '?' && is_digit(word.text[1]);
    has_numbered = has_numbered || has_number;
    has_others = has_others || word.is_sign('?') || (is_parameter && !has_number);
  }
  return has_numbered && has_others;
}

// The words that may stand behind a class without a name of its own.
bool follows_class(const SqlWord& word) {
  return is_one_of(word, {"where",  "join",    "inner", "left",      "right",  "full",    "outer",
                          "cross",  "natural", "on",    "using",     "group",  "order",   "limit",
                          "having", "window",  "union", "intersect", "except", "indexed", "not"});
}

}  // namespace

StatementClauses clauses_of(const std::vector<SqlWord>& words, std::size_t text_size) {
  StatementClauses all;
  all.is_single = true;
  const Places at = places_of(words, all);
  const Words whole(words);
  const bool has_limit = at.limit < words.size();
  all.bounds_at = has_limit ? words[at.limit].begin : text_size;
  if (has_limit) all.stated_rows = stated_rows(whole.subspan(at.limit));
  all.has_order = at.order < words.size();
  all.is_grouped = at.group < words.size();
  // Two words: ORDER BY, GROUP BY.
  if (at.order + 2 < at.limit)
    all.order = terms_of(whole.subspan(at.order + 2, at.limit - at.order - 2));
  if (at.group + 2 < at.group_end) {
    all.groups = terms_of(whole.subspan(at.group + 2, at.group_end - at.group - 2));
  }
  all.mixes_parameters = mix_parameters(words);
  return all;
}

std::optional<std::string> only_name(const std::vector<SqlWord>& words, std::string_view cls) {
  std::size_t mentions = 0, at = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_qualifier = i + 1 < words.size() && words[i + 1].is_sign('.');
    const bool is_name = words[i].form != SqlWord::Form::sign && !is_qualifier;
    if (!is_name || !same_name(words[i].text, cls)) continue;
    ++mentions;
    at = i;
  }
  if (mentions != 1) return std::nullopt;
  const std::size_t next = at + 1 < words.size() && words[at + 1].is_bare("as") ? at + 2 : at + 1;
  return next < words.size() && words[next].is_name() && !follows_class(words[next])
             ? words[next].text
             : std::string(cls);
}

}  // namespace gantry::data
