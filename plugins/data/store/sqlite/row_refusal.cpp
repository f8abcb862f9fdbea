#include "store/sqlite/row_refusal.hpp"

#include <sqlite3.h>

#include <string_view>

#include "catalog/sql_words.hpp"

namespace gantry::data::sqlite {
namespace {

std::string_view kind_of(int code) {
  if ((code & 0xff) == SQLITE_TOOBIG) return refused::kObjectTooLarge;
  switch (code) {
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_ROWID:
      return refused::kDuplicateValue;
    case SQLITE_CONSTRAINT_NOTNULL:
      return refused::kRequiredField;
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return refused::kMissingReference;
    default:
      return refused::kFailedValidation;
  }
}

// The text of a foreign key with RESTRICT, which SQLite implements as a trigger.
constexpr std::string_view kReferenceText = "FOREIGN KEY constraint failed";

// The names in the expression of a CHECK, or in its own name.
std::vector<std::string> names_in(std::string_view expression) {
  std::vector<std::string> names;
  for (SqlWord& word : sql_words(expression)) {
    if (word.is_name()) names.push_back(std::move(word.text));
  }
  return names;
}

bool names_columns(std::string_view kind) {
  return kind == refused::kDuplicateValue || kind == refused::kRequiredField;
}

}  // namespace

// "UNIQUE constraint failed: orders.a, orders.b", "CHECK constraint failed: a > 0", or "…: index
// 'i'" for an index of expressions. A name that holds ", " is split and matches no column.
RowRefusal row_refusal(int code, const std::string& text) {
  RowRefusal refusal;
  refusal.kind = kind_of(code);
  if (code == SQLITE_CONSTRAINT_TRIGGER && text == kReferenceText) {
    refusal.kind = refused::kMissingReference;
  }
  const auto colon = text.find(": ");
  if (code == SQLITE_CONSTRAINT_CHECK && colon != std::string::npos) {
    refusal.check = text.substr(colon + 2);
    refusal.columns = names_in(refusal.check);
    return refusal;
  }
  if (!names_columns(refusal.kind) || colon == std::string::npos) return refusal;
  std::string_view list = std::string_view(text).substr(colon + 2);
  while (!list.empty()) {
    const auto comma = list.find(", ");
    const std::string_view one = list.substr(0, comma);
    list = comma == list.npos ? std::string_view() : list.substr(comma + 2);
    const auto dot = one.rfind('.');
    if (dot == one.npos) continue;
    refusal.table = one.substr(0, dot);
    refusal.columns.emplace_back(one.substr(dot + 1));
  }
  return refusal;
}

std::vector<std::string> names_of_check(std::string_view create_table, std::string_view check) {
  const std::vector<SqlWord> words = sql_words(create_table);
  std::vector<std::string> names;
  for (std::size_t at = 0; at + 3 < words.size(); ++at) {
    const bool is_it = words[at].is_bare("constraint") && words[at + 1].text == check &&
                       words[at + 2].is_bare("check") && words[at + 3].is_sign('(');
    if (!is_it) continue;
    int depth = 0;
    for (at += 3; at < words.size(); ++at) {
      depth += words[at].nesting();
      if (depth == 0) break;
      if (words[at].is_name()) names.push_back(words[at].text);
    }
  }
  return names;
}

}  // namespace gantry::data::sqlite
