// catalog/sql_words.hpp: splits SQL text into words, as SQLite's tokenizer does. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

struct SqlWord {
  // A name or number; "x", `x`, [x], which are names; 'x', a text; ?1, :x, @x, $x; any other
  // character.
  enum class Form : std::uint8_t { bare, quoted, text, parameter, sign };

  std::string text;  // without quotes; a doubled quote is one character
  Form form;
  std::size_t begin = 0, end = 0;  // its place in the SQL text, with quotes

  bool is_sign(char c) const { return form == Form::sign && text[0] == c; }
  bool is_quoted() const { return form == Form::quoted || form == Form::text; }
  bool is_name() const { return form == Form::bare || form == Form::quoted; }
  // This keyword or name without quotes, in any case.
  bool is_bare(std::string_view name) const;
  // What it adds to the depth of parentheses.
  int nesting() const { return is_sign('(') ? 1 : is_sign(')') ? -1 : 0; }
};

// Skips white space and comments. An unterminated quote extends to the end.
std::vector<SqlWord> sql_words(std::string_view sql);

}  // namespace gantry::data
