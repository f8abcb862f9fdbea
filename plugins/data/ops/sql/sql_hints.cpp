#include "ops/sql/sql_hints.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "catalog/column_type.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data {
namespace {

struct Advice {
  std::string_view name;  // of a function, a word, or the beginning of SQLite's message
  std::string_view text;
};

constexpr std::string_view kParts = "Write strftime('%Y-%m', x), date(x) or substr(x, 1, 7).";
constexpr std::string_view kNow = "Write datetime('now') or date('now', '-30 days').";
constexpr std::string_view kUnfold =
    "Write field ->> '$.list[0]' for an element; aggregate with $unwind reads all of a list.";

constexpr Advice kAdviceOfFunctions[] = {
    {"concat", "Write a || b."},
    {"concat_ws", "Write a || ', ' || b."},
    {"curdate", kNow},
    {"date_add", "Write date(x, '+1 day')."},
    {"date_format", kParts},
    {"date_part", kParts},
    {"date_sub", "Write date(x, '-1 day')."},
    {"date_trunc", kParts},
    {"datediff", "Write julianday(a) - julianday(b) for days."},
    {"day", kParts},
    {"extract", kParts},
    {"getdate", kNow},
    {"greatest", "Write max(a, b)."},
    {"if", "Write iif(a, b, c) or CASE."},
    {"isnull", "Write coalesce(a, b)."},
    {"json_each", kUnfold},
    {"json_tree", kUnfold},
    {"least", "Write min(a, b)."},
    {"left", "Write substr(x, 1, 3)."},
    {"len", "Write length(x)."},
    {"median",
     "Number the rows with row_number() OVER (ORDER BY x) and count(*) OVER (), and take the "
     "middle one."},
    {"month", kParts},
    {"now", kNow},
    {"nvl", "Write coalesce(a, b)."},
    {"percentile_cont",
     "Number the rows with row_number() OVER (ORDER BY x) and count(*) OVER (), and take one."},
    {"random", "Answers are the same each time: order by a field."},
    {"regexp", "Write LIKE or GLOB; query_class has $regex."},
    {"right", "Write substr(x, -3)."},
    {"stddev", "Write sqrt(avg(x * x) - avg(x) * avg(x))."},
    {"string_agg", "Write group_concat(x, ', ')."},
    {"to_char", kParts},
    {"to_date", "Dates are texts: write date(x)."},
    {"unnest", kUnfold},
    {"year", kParts}};

// Words at or shortly before the place of a syntax error.
constexpr Advice kAdviceOfWords[] = {
    {":", "Write CAST(x AS TEXT) for x::text, and :name for a value of params."},
    {"{", "Write ? or :name for a value of params."},
    {"%", "Write ? or :name for a value of params."},
    {"extract", kParts},
    {"fetch", "Write LIMIT 5."},
    {"ilike", "Write LIKE: it ignores the case of ASCII letters."},
    {"interval", "Write date(x, '+30 days') or datetime(x, '-1 hour')."},
    {"isnull", "Write coalesce(a, b), or x IS NULL."},
    {"left", "Write substr(x, 1, 3)."},
    {"order", "A name that is a word of SQL stands in double quotes: \"order\"."},
    {"right", "Write substr(x, -3)."},
    {"top", "Write LIMIT 5 at the end."},
    {"within", "Number the rows with row_number() OVER (ORDER BY x) and take one."}};

constexpr Advice kAdviceOfMessages[] = {
    {"ambiguous column name", "Write the class or its alias before it: orders.id."},
    {"incomplete input", "A parenthesis is not closed, or the end is missing."},
    {"misuse of aggregate", "Conditions on aggregates stand in HAVING."},
    {"misuse of aliased window function", "Filter it in a SELECT around this one."},
    {"misuse of window function", "Filter it in a SELECT around this one."}};

constexpr Advice kAdviceOfStatements[] = {
    {"explain", "explain_query takes sql."},
    {"describe", "get_schema describes classes."},
    {"desc", "get_schema describes classes."},
    {"pragma", "get_schema describes classes."},
    {"show", "get_all_schemas lists the classes."},
    {"`", "Write the statement alone, without marks around it."}};

template <std::size_t kCount>
std::string find(const Advice (&list)[kCount], std::string_view name) {
  const auto found = std::find_if(std::begin(list), std::end(list),
                                  [name](const Advice& one) { return same_name(one.name, name); });
  return found == std::end(list) ? std::string() : " " + std::string(found->text);
}

std::string of_message(std::string_view message) {
  for (const Advice& one : kAdviceOfMessages) {
    if (message.starts_with(one.name)) return " " + std::string(one.text);
  }
  return {};
}

// Whether the word means what its advice says: LEFT( and RIGHT( are no joins, and ORDER stands
// where a name must be.
bool is_meant(const std::vector<SqlWord>& words, std::size_t at, bool is_place) {
  const std::string name = lower(words[at].text);
  const bool is_called = at + 1 < words.size() && words[at + 1].is_sign('(');
  if (name == "left" || name == "right") return is_called;
  return name != "order" || is_place;
}

// Of the word at the place, or one of the three before it.
std::string of_place(std::size_t place, std::string_view sql) {
  const std::vector<SqlWord> words = sql_words(sql);
  std::size_t i = 0;
  while (i < words.size() && words[i].begin + 1 < place) ++i;
  for (std::size_t back = 0; back <= 3 && back <= i; ++back) {
    const std::size_t at = i - back;
    if (at >= words.size() || words[at].is_quoted() || !is_meant(words, at, back == 0)) continue;
    const bool is_cast =
        words[at].form == SqlWord::Form::parameter && words[at].text.starts_with(':');
    const std::string hint = find(kAdviceOfWords, is_cast ? ":" : words[at].text);
    if (!hint.empty()) return hint;
  }
  return {};
}

}  // namespace

std::string sql_hint(const StatementFault& fault, std::string_view sql) {
  using Fault = StatementFault::Kind;
  if (fault.kind == Fault::no_function || fault.kind == Fault::no_class) {
    return find(kAdviceOfFunctions, fault.name);
  }
  if (fault.kind == Fault::not_a_query) {
    const std::vector<SqlWord> words = sql_words(sql);
    const bool is_marked = sql.find("```") != std::string_view::npos;
    return words.empty() ? "" : find(kAdviceOfStatements, is_marked ? "`" : words.front().text);
  }
  if (fault.kind == Fault::not_allowed) {
    return " get_all_schemas lists the classes; a row is told by its key, not by rowid.";
  }
  const std::string by_message = of_message(fault.text);
  const bool is_syntax =
      fault.text.ends_with("syntax error") || fault.text.starts_with("unrecognized token");
  return by_message.empty() && is_syntax && fault.at != 0 ? of_place(fault.at, sql) : by_message;
}

}  // namespace gantry::data
