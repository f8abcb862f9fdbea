#include "catalog/column_type.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "catalog/own_column.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

char lower_char(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::vector<std::string> tokens_of(std::string_view sql) {
  std::vector<std::string> tokens;
  for (SqlWord& word : sql_words(sql)) tokens.push_back(std::move(word.text));
  return tokens;
}

Kind storage_kind(std::string_view type) {
  if (type == "integer") return Kind::integer;
  if (type == "real") return Kind::number;
  if (type == "text") return Kind::string;
  if (type == "blob") return Kind::bytes;
  return Kind::any;
}

Kind strict_kind(std::string_view declared) {
  const std::string type = lower(declared);
  return storage_kind(type == "int" ? "integer" : type);
}

// The kind of `= 'text' )` or `in ( 'text' , 'null' ) )` at `at`; `any` for everything else.
Kind checked_type(const std::vector<std::string>& tokens, std::size_t at) {
  const auto token = [&](std::size_t i) { return i < tokens.size() ? lower(tokens[i]) : ""; };
  if (token(at) == "=" || token(at) == "is") {
    at += token(at + 1) == "=" ? 2 : 1;
    return token(at + 1) == ")" ? storage_kind(token(at)) : Kind::any;
  }
  if (token(at) != "in" || token(at + 1) != "(") return Kind::any;
  Kind kind = Kind::any;
  for (at += 2;; at += 2) {
    if (token(at) != "null") {
      if (kind != Kind::any) return Kind::any;
      kind = storage_kind(token(at));
    }
    if (token(at + 1) == ",") continue;
    return token(at + 1) == ")" && token(at + 2) == ")" ? kind : Kind::any;
  }
}

Kind checked_kind(std::string_view create_sql, std::string_view column) {
  const auto tokens = tokens_of(create_sql);
  for (std::size_t i = 0; i + 6 < tokens.size(); ++i) {
    if (same_name(tokens[i], "check") && tokens[i + 1] == "(" &&
        same_name(tokens[i + 2], "typeof") && tokens[i + 3] == "(" &&
        same_name(tokens[i + 4], column) && tokens[i + 5] == ")") {
      return checked_type(tokens, i + 6);
    }
  }
  return Kind::any;
}

// Whether `wanted` stands at `at`, names compared as SQLite does.
bool stands_at(const std::vector<std::string>& tokens, std::size_t at,
               std::initializer_list<std::string_view> wanted) {
  if (at + wanted.size() > tokens.size()) return false;
  return std::equal(wanted.begin(), wanted.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
                    [](std::string_view a, const std::string& b) { return same_name(a, b); });
}

}  // namespace

std::string_view own_type(std::string_view create_sql, std::string_view column) {
  const auto tokens = tokens_of(create_sql);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!stands_at(tokens, i, {"check", "("})) continue;
    if (stands_at(tokens, i + 2, {column, "is", "null", "or"})) i += 4;  // json_valid(NULL) is 0
    if (stands_at(tokens, i + 2, {column, "in", "(", "0", ",", "1", ")", ")"})) return kOwnBoolean;
    if (stands_at(tokens, i + 2, {"json_valid", "(", column, ")", ")"})) return kOwnJson;
    if (stands_at(tokens, i + 2,
                  {column, "between", "-", "62167219200000", "and", "253402300799999", ")"})) {
      return kOwnDate;
    }
  }
  return {};
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower_char);
  return result;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_char(x) == lower_char(y); });
}

std::string quote_name(std::string_view name) {
  std::string quoted = "`";
  for (const char c : name) quoted.append(c == '`' ? 2 : 1, c);
  return quoted += '`';
}

Affinity affinity_of(std::string_view declared) {
  const std::string type = lower(declared);
  if (has_any(type, {"int"})) return Affinity::numeric;
  if (has_any(type, {"char", "clob", "text"})) return Affinity::text;
  return type.empty() || has_any(type, {"blob"}) ? Affinity::none : Affinity::numeric;
}

Kind declared_kind(std::string_view declared) {
  const std::string type = lower(declared);
  if (type.starts_with("bool")) return Kind::boolean;
  if (has_any(type, {"json"})) return Kind::object;
  if (type.starts_with("date") || type.starts_with("timestamp")) return Kind::date;
  if (has_any(type, {"blob", "binary", "bytea"})) return Kind::bytes;
  if (has_any(type, {"char", "clob", "text", "uuid", "string", "enum"})) return Kind::string;
  if (has_any(type, {"real", "floa", "doub", "num", "dec", "money"})) return Kind::number;
  if (has_any(type, {"int", "serial"}) && !has_any(type, {"point", "interval"})) {
    return Kind::integer;
  }
  return Kind::any;
}

Kind proven_kind(std::string_view create_sql, std::string_view column, std::string_view declared,
                 bool strict) {
  return strict ? strict_kind(declared) : checked_kind(create_sql, column);
}

}  // namespace gantry::data
