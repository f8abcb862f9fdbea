#include "catalog/column_type.hpp"

#include <algorithm>
#include <initializer_list>

#include "catalog/own_column.hpp"
#include "values/ascii.hpp"

namespace gantry::data {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
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

// The kind in `= 'text' )` or `in ( 'text' , 'null' ) )` at `at`; `any` for everything else.
Kind checked_type(const std::vector<SqlWord>& words, std::size_t at) {
  const auto token = [&](std::size_t i) { return i < words.size() ? lower(words[i].text) : ""; };
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

// Whether the words `wanted` are at `at`; names are compared as SQLite does.
bool stands_at(const std::vector<SqlWord>& words, std::size_t at,
               std::initializer_list<std::string_view> wanted) {
  if (at + wanted.size() > words.size()) return false;
  return std::equal(wanted.begin(), wanted.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                    [](std::string_view a, const SqlWord& b) { return same_name(a, b.text); });
}

Kind checked_kind(const std::vector<SqlWord>& words, std::string_view column) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (stands_at(words, i, {"check", "(", "typeof", "(", column, ")"})) {
      return checked_type(words, i + 6);
    }
  }
  return Kind::any;
}

std::string between(std::string_view name, char quote) {
  std::string quoted(1, quote);
  for (const char c : name) quoted.append(c == quote ? 2 : 1, c);
  return quoted += quote;
}

}  // namespace

std::string_view strict_column_type(const std::vector<SqlWord>& words, std::string_view column) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!stands_at(words, i, {"check", "("})) continue;
    if (stands_at(words, i + 2, {column, "is", "null", "or"})) i += 4;  // json_valid(NULL) is 0
    if (stands_at(words, i + 2, {column, "in", "(", "0", ",", "1", ")", ")"}))
      return kStrictBoolean;
    if (stands_at(words, i + 2, {"json_valid", "(", column, ")", ")"})) return kStrictJson;
    if (stands_at(words, i + 2, {"json_valid", "(", column, ")", "=", "1", ")"}))
      return kStrictAnyJson;
    if (stands_at(words, i + 2,
                  {column, "between", "-", "62167219200000", "and", "253402300799999", ")"})) {
      return kStrictDate;
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

std::string quote_name(std::string_view name) { return between(name, '`'); }

std::string in_double_quotes(std::string_view name) { return between(name, '"'); }

Affinity affinity_of(std::string_view declared) {
  const std::string type = lower(declared);
  if (has_any(type, {"int"})) return Affinity::numeric;
  if (has_any(type, {"char", "clob", "text"})) return Affinity::text;
  return type.empty() || has_any(type, {"blob"}) ? Affinity::none : Affinity::numeric;
}

bool makes_fractions(std::string_view declared) {
  const std::string type = lower(declared);
  return affinity_of(type) == Affinity::numeric && !has_any(type, {"int"}) &&
         has_any(type, {"real", "floa", "doub"});
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

Kind proven_kind(const std::vector<SqlWord>& words, std::string_view column,
                 std::string_view declared, bool strict) {
  return strict ? strict_kind(declared) : checked_kind(words, column);
}

}  // namespace gantry::data
