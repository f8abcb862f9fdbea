#include "statement/sql_form.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "catalog/column_type.hpp"
#include "rows/class_query.hpp"
#include "values/ascii.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kLongestKeyword = 20;

bool may_begin(char c) { return is_letter(c) || c == '_'; }

// Whether the store reads the word as the class. No keyword has a digit.
bool may_be_keyword(const std::string& name) {
  return name.size() <= kLongestKeyword && std::all_of(name.begin(), name.end(), may_begin);
}
bool means_class(const Store& store, const std::string& name) {
  const auto verdict = store.judge("SELECT 1 FROM " + name,
                                   [&name](std::string_view asked) -> std::optional<NamedClass> {
                                     if (asked != name) return std::nullopt;
                                     return NamedClass{name, {"x"}};
                                   });
  const auto* const shape = verdict ? std::get_if<StatementShape>(&*verdict) : nullptr;
  return shape != nullptr && shape->classes.size() == 1;
}

}  // namespace

bool is_word(std::string_view name) {
  return !name.empty() && may_begin(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return may_begin(c) || is_digit(c); });
}

SqlForm sql_form(const Store& store, SqlVerdicts* verdicts, const ClassView& cls) {
  SqlForm form;
  const auto judge = [&] { return means_class(store, cls.name); };
  const auto is_name = [&] { return verdicts ? verdicts->is_name(cls.name, judge) : judge(); };
  if (!is_word(cls.name) || (may_be_keyword(cls.name) && !is_name())) {
    form.name = in_double_quotes(cls.name);
  }
  if (cls.is_open()) form.columns = sql_columns(cls);
  return form;
}

}  // namespace gantry::data
