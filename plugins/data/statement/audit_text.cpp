#include "statement/audit_text.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "catalog/sql_words.hpp"
#include "values/ascii.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kMostText = 1500;

bool is_number(const SqlWord& word) {
  return word.form == SqlWord::Form::bare && is_digit(word.text[0]);
}

bool is_literal(const SqlWord& word, const std::vector<std::string_view>& names) {
  if (is_number(word) || word.form == SqlWord::Form::text) return true;
  if (word.form != SqlWord::Form::quoted) return false;
  return std::none_of(names.begin(), names.end(),
                      [&word](std::string_view name) { return same_name(name, word.text); });
}

// Whether two words are parts of one literal: 2.5, .5, x'00', 1e-5.
bool joins(const SqlWord& left, const SqlWord& right, bool left_is_literal) {
  if (left.end != right.begin) return false;
  const bool is_blob = right.form == SqlWord::Form::text && same_name(left.text, "x");
  const bool is_fraction = (left.is_sign('.') && is_number(right)) ||
                           (left_is_literal && is_number(left) && right.is_sign('.'));
  return is_blob || is_fraction;
}

// The longest beginning that ends between characters.
void shorten(std::string& text) {
  if (text.size() <= kMostText) return;
  std::size_t end = kMostText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  text += "…";
}

}  // namespace

std::string audit_text(std::string_view sql, const std::vector<std::string_view>& names) {
  const std::vector<SqlWord> words = sql_words(sql);
  std::string text;
  for (std::size_t i = 0; i < words.size() && text.size() <= kMostText; ++i) {
    const bool is_apart = i > 0 && words[i - 1].end != words[i].begin;
    if (is_apart) text += ' ';
    bool hides = is_literal(words[i], names);
    while (i + 1 < words.size() && joins(words[i], words[i + 1], hides)) hides = true, ++i;
    if (hides) {
      text += '?';
    } else {
      text += sql.substr(words[i].begin, words[i].end - words[i].begin);
    }
  }
  shorten(text);
  return text;
}

}  // namespace gantry::data
