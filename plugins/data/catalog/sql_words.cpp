#include "catalog/sql_words.hpp"

#include <algorithm>
#include <utility>

#include "catalog/column_type.hpp"
#include "values/ascii.hpp"

namespace gantry::data {
namespace {

bool name_char(char c) {
  return is_alphanumeric(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

// Whether a parameter begins at `at`. A '$' begins no name.
bool begins_parameter(std::string_view sql, std::size_t at) {
  constexpr std::string_view kSigns = "?:@$#";
  return kSigns.find(sql[at]) != kSigns.npos && at + 1 < sql.size() && name_char(sql[at + 1]);
}

std::size_t end_of_name(std::string_view sql, std::size_t at) {
  while (at < sql.size() && name_char(sql[at])) ++at;
  return at;
}

// The end of a comment that starts at `at`, or `at`.
std::size_t skip_comment(std::string_view sql, std::size_t at) {
  const bool line = sql.substr(at, 2) == "--";
  if (!line && sql.substr(at, 2) != "/*") return at;
  const auto end = line ? sql.find('\n', at) : sql.find("*/", at + 2);
  return end == std::string_view::npos ? sql.size() : end + (line ? 1 : 2);
}

// A quoted token without its quotes; a doubled quote counts as one character.
std::string take_quoted(std::string_view sql, std::size_t& at) {
  const char close = sql[at] == '[' ? ']' : sql[at];
  std::string text;
  for (++at; at < sql.size(); ++at) {
    if (sql[at] != close) {
      text += sql[at];
    } else if (close != ']' && at + 1 < sql.size() && sql[at + 1] == close) {
      text += sql[at++];
    } else {
      return ++at, text;
    }
  }
  return text;
}

}  // namespace

bool SqlWord::is_bare(std::string_view name) const {
  return form == Form::bare && same_name(text, name);
}

std::vector<SqlWord> sql_words(std::string_view sql) {
  std::vector<SqlWord> words;
  for (std::size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    const std::size_t after = skip_comment(sql, at);
    if (after != at || is_blank(c)) {
      at = std::max(after, at + 1);
    } else if (c == '\'' || c == '"' || c == '`' || c == '[') {
      const auto form = c == '\'' ? SqlWord::Form::text : SqlWord::Form::quoted;
      const std::size_t start = at;
      std::string text = take_quoted(sql, at);
      words.push_back({std::move(text), form, start, at});
    } else if (begins_parameter(sql, at) || (name_char(c) && c != '$')) {
      const auto form = begins_parameter(sql, at) ? SqlWord::Form::parameter : SqlWord::Form::bare;
      const std::size_t start = at;
      at = end_of_name(sql, at + 1);
      words.push_back({std::string(sql.substr(start, at - start)), form, start, at});
    } else {
      words.push_back({std::string(1, c), SqlWord::Form::sign, at, at + 1});
      ++at;
    }
  }
  return words;
}

}  // namespace gantry::data
