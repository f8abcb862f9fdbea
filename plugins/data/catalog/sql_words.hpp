// catalog/sql_words.hpp: splits the text of a CREATE statement into words, as SQLite's tokenizer
// does. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

struct SqlWord {
  enum class Form : std::uint8_t { bare, quoted, sign };  // a name or number; 'x', "x", `x`, [x]

  std::string text;  // without quotes; a doubled quote is one character
  Form form;

  bool is_sign(char c) const { return form == Form::sign && text[0] == c; }
};

// Skips white space and comments. An unterminated quote extends to the end.
std::vector<SqlWord> sql_words(std::string_view sql);

}  // namespace gantry::data
