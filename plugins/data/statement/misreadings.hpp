// statement/misreadings.hpp: what a statement's text does with fields and surely does not mean.
//
// SQL compares values of any types and fails on none: a date with seconds, a boolean with 'true', a
// text with one that no row has. The answer is then wrong without an error, so each such use is one
// sentence with its repair. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "catalog/sql_words.hpp"
#include "store/caller_statement.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// A field compared with a text; whether that is a mistake, only the rows tell.
struct TextComparison {
  std::size_t cls = 0;  // of shape.classes
  std::string field, text;
  std::optional<std::size_t> parameter = {};  // of shape.parameters, whose value is the text
};

struct Misreadings {
  std::vector<std::string> warnings;
  std::vector<TextComparison> texts;
};

// `words`: of the statement; `classes`: the views of shape.classes, in their order.
Misreadings misreadings(const std::vector<SqlWord>& words, const StatementShape& shape,
                        const std::vector<const ClassView*>& classes);

}  // namespace gantry::data
