#include "statement/known_statement.hpp"

#include <algorithm>
#include <utility>

#include "catalog/sql_words.hpp"
#include "rows/class_query.hpp"

namespace gantry::data {
namespace {

// "SELECT *", "t.*", ", *": no product, and no count(*).
bool has_star(const std::vector<SqlWord>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const SqlWord& before = words[i - 1];
    const bool may_precede = before.is_bare("select") || before.is_bare("distinct") ||
                             before.is_bare("all") || before.is_sign(',') || before.is_sign('.');
    if (words[i].is_sign('*') && may_precede) return true;
  }
  return false;
}

std::string key_of_only_class(const StatementShape& shape, const std::vector<SqlWord>& words,
                              const std::vector<const ClassView*>& classes) {
  const bool is_single =
      shape.is_simple && classes.size() == 1 && only_name(words, classes[0]->name);
  if (!is_single || classes[0]->is_open()) return {};
  const std::string id(classes[0]->id_name());
  if (classes[0]->find(id) != nullptr) return id;
  // An id that is no field would be one of the columns that a star means.
  const bool is_rowid = classes[0]->id_form == IdForm::rowid && !classes[0]->rowid.empty();
  return is_rowid && !has_star(words) ? id : "";
}

// Whether rows of the answer may differ that no order tells apart: 1 and 1.0 are equal. Columns of
// a type hold one of them.
bool has_unseen_ties(const StatementShape& shape, const std::vector<const ClassView*>& classes) {
  return std::any_of(shape.columns.begin(), shape.columns.end(), [&](const auto& column) {
    const auto cls = std::find_if(classes.begin(), classes.end(),
                                  [&](const ClassView* one) { return one->name == column.cls; });
    return cls == classes.end() || may_tie_unseen(**cls, column.field);
  });
}

}  // namespace

KnownStatement known_statement(const Store& store, StatementShape shape,
                               const std::vector<const ClassView*>& classes) {
  KnownStatement known;
  known.text = store.runnable(shape.text);
  const std::vector<SqlWord> words = sql_words(known.text);
  known.clauses = clauses_of(words, known.text.size());
  known.is_ruled = std::any_of(classes.begin(), classes.end(),
                               [](const ClassView* cls) { return cls->is_ruled(); });
  if (known.is_ruled) known.own_key = key_of_only_class(shape, words, classes);
  // The order in which the database finds such rows would show: they are read through fences.
  const bool has_ties = known.is_ruled && known.own_key.empty() && has_unseen_ties(shape, classes);
  shape.is_simple = shape.is_simple && !has_ties;
  known.pages =
      page_order(shape, words, known.clauses, classes, known.own_key, known.text != shape.text);
  known.misread = misreadings(sql_words(shape.text), shape, classes);
  known.shape = std::move(shape);
  return known;
}

}  // namespace gantry::data
