#include "plan/plan_column.hpp"

#include "sql/key_values.hpp"

namespace gantry::data {
namespace {

std::optional<FieldForm> form_of(const FieldForm& whole, bool is_below) {
  if (is_below) return std::nullopt;
  if (whole.is(FieldForm::Type::pointer)) return FieldForm::plain();
  const bool is_scalar = whole.is(FieldForm::Type::plain) || whole.is(FieldForm::Type::date) ||
                         whole.is(FieldForm::Type::boolean);
  return is_scalar ? std::optional(whole) : std::nullopt;
}

columns::Column column_of(const Field& field, std::optional<FieldForm> form, FieldForm whole,
                          std::optional<std::string> path) {
  columns::Column column;
  column.field = field;
  column.form = std::move(form);
  column.whole = std::move(whole);
  column.path = std::move(path);
  column.null = Value();  // a field of NULL is missing
  return column;
}

}  // namespace

std::optional<columns::Column> plan_column(std::string_view path, const ClassView& cls) {
  if (cls.is_open()) return std::nullopt;
  if (path.ends_with('.')) return std::nullopt;  // a field with an empty name, not the column
  const auto dot = path.find('.');
  const std::string_view root = path.substr(0, dot);
  std::optional<std::string> below;
  if (dot != std::string_view::npos) below = path.substr(dot + 1);
  if (root == kObjectId && cls.id_name() == kObjectId && cls.id_form != IdForm::column) {
    const auto rowid = cls.key();
    if (!rowid) return std::nullopt;
    return column_of(*rowid, form_of(FieldForm::plain(), below.has_value()), FieldForm::plain(),
                     std::move(below));
  }
  const FieldView* const field = cls.find(root);
  if (field == nullptr) return std::nullopt;
  return column_of(*field, form_of(field->form, below.has_value()), field->form, std::move(below));
}

std::optional<Fragment> index_lookup_condition(const ClassView& cls, std::string_view path,
                                               const Array& values) {
  const auto column = plan_column(path, cls);
  if (!column || !column->form) return std::nullopt;
  return stored_as_one_of(column->field, *column->form, values);
}

}  // namespace gantry::data
