// catalog/sql_words.hpp: the text of a CREATE statement in words, as SQLite takes it apart. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

struct SqlWord {
  enum class Form : std::uint8_t { bare, quoted, sign };  // a name or number; 'x', "x", `x`, [x]

  std::string text;  // without quotes, a doubled quote as one character
  Form form;

  bool is_sign(char c) const { return form == Form::sign && text[0] == c; }
};

// Without white space and comments. A quote that is never closed goes to the end.
std::vector<SqlWord> sql_words(std::string_view sql);

}  // namespace gantry::data
