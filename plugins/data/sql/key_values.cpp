#include "sql/key_values.hpp"

#include <algorithm>

namespace gantry::data {
namespace {

void add_plain(const Value& value, std::vector<Bind>& binds) {
  if (value.is_integral()) binds.emplace_back(value.integer());
  if (value.is_real()) binds.emplace_back(value.real());
  if (value.is_string()) binds.emplace_back(std::string(value.text()));
  if (value.is_bytes()) {
    binds.emplace_back(std::string(value.text()));  // matches text that is not UTF-8 too
    binds.emplace_back(Bytes{std::string(value.text())});
  }
}

}  // namespace

void add_list(const std::vector<Bind>& values, Fragment& sql) {
  std::size_t size = 1;
  while (size < values.size()) size *= 2;
  sql.add(" IN (");
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) sql.add(",");
    sql.bind(values[std::min(i, values.size() - 1)]);
  }
  sql.add(")");
}

std::optional<Fragment> stored_as_one_of(const Field& field, const FieldForm& form,
                                         const Array& values) {
  if (!form.is(FieldForm::Type::plain)) return std::nullopt;
  std::vector<Bind> binds;
  bool has_nothing = false;
  for (const Value& value : values) {
    if (value.is_nullish()) has_nothing = true;
    add_plain(value, binds);
  }
  const std::string& column = field.column;
  Fragment condition;
  condition.add("(");
  if (has_nothing) condition.add(column).add(" IS NULL");
  if (!binds.empty()) {
    if (has_nothing) condition.add(" OR ");
    add_list(binds, condition.add(column));
  }
  if (!has_nothing && binds.empty()) condition.add("0");
  condition.add(")");
  return condition;
}

}  // namespace gantry::data
