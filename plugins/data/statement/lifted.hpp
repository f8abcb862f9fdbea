// statement/lifted.hpp: a caller's statement with the values that it compares for equality taken
// out of its text.
//
// An agent asks for one row after another with the key in the text: WHERE id = 4711. The texts
// differ, what is learned of them does not: with "?" in place of the literal, they are judged,
// composed and compiled once. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/sql_words.hpp"
#include "values/fragment.hpp"

namespace gantry::data {

struct LiftedText {
  std::string text;
  std::vector<Bind> values;  // of its parameters, in their order; empty: the text is as it was
};

// Lifts texts and integers that follow "=", "<=", ">=" or "!=" in the WHERE of a single SELECT
// without groups, where a literal can only be a value. The new text gives the same answer with
// these values, if it is a statement; it may be one where the old text is none, so errors are those
// of the old text. A text with parameters of its own, or of more than 4 KiB, stays as it is.
// `words`: of `sql`.
LiftedText lifted(std::string_view sql, const std::vector<SqlWord>& words);

}  // namespace gantry::data
