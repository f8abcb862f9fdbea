#include "statement/lifted.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "statement/sql_verdicts.hpp"
#include "store/caller_statement.hpp"

namespace gantry::data {
namespace {

using WordForm = SqlWord::Form;

constexpr std::size_t kMostDigits = 18;  // of every integer of 64 bits

// SQLite compares whole expressions of these clauses by their text, or knows several SELECTs.
bool may_lift(const std::vector<SqlWord>& words) {
  constexpr std::array kOthers = {"group",  "having", "distinct", "over",
                                  "window", "values", "with"};
  std::size_t selects = 0;
  for (const SqlWord& word : words) {
    if (word.form == WordForm::parameter || word.is_sign('?')) return false;
    selects += word.is_bare("select") ? 1 : 0;
    const bool is_other = std::any_of(kOthers.begin(), kOthers.end(),
                                      [&](std::string_view one) { return word.is_bare(one); });
    if (is_other) return false;
  }
  return selects == 1 && words.front().is_bare("select");
}

std::optional<std::int64_t> integer_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_all = error == std::errc() && end == text.data() + text.size();
  return is_all && text.size() <= kMostDigits ? std::optional(value) : std::nullopt;
}

// 'a'.'b' is a name, 2.5 and 2e5 are other numbers.
bool ends_before(const std::vector<SqlWord>& words, std::size_t next, std::size_t end) {
  if (next == words.size()) return true;
  const bool touches = words[next].begin == end && words[next].form != WordForm::sign;
  return !touches && !words[next].is_sign('.');
}

// A quote without its end is an error, which the text keeps.
bool has_end(const SqlWord& text) {
  const auto doubled = std::count(text.text.begin(), text.text.end(), '\'');
  return text.end - text.begin == text.text.size() + static_cast<std::size_t>(doubled) + 2;
}

std::optional<Bind> value_at(const std::vector<SqlWord>& words, std::size_t at) {
  if (!ends_before(words, at + 1, words[at].end)) return std::nullopt;
  if (words[at].form == WordForm::text && has_end(words[at])) return Bind(words[at].text);
  if (words[at].form != WordForm::bare) return std::nullopt;
  const auto number = integer_of(words[at].text);
  return number ? std::optional<Bind>(*number) : std::nullopt;
}

}  // namespace

LiftedText lifted(std::string_view sql, const std::vector<SqlWord>& words) {
  LiftedText found{std::string(sql), {}};
  const bool is_plain = sql.size() <= SqlVerdicts::kMostText && sql.find('\0') == sql.npos;
  if (words.empty() || !is_plain || !may_lift(words)) return found;
  std::string text;
  std::size_t from = 0;
  bool is_in_where = false;
  int depth = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const SqlWord& word = words[i];
    depth += word.nesting();
    if (depth == 0 && word.is_bare("where")) is_in_where = true;
    if (word.is_bare("order") || word.is_bare("limit")) is_in_where = false;
    if (!is_in_where || !words[i - 1].is_sign('=')) continue;
    auto value = value_at(words, i);
    if (!value || found.values.size() == kMostStatementValues) continue;
    text.append(sql, from, word.begin - from).append("?");
    from = word.end;
    found.values.push_back(std::move(*value));
  }
  if (!found.values.empty()) found.text = text.append(sql, from);
  return found;
}

}  // namespace gantry::data
