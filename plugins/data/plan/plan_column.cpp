#include "plan/plan_column.hpp"

namespace gantry::data {
namespace {

// Null: only matchers can compare it.
const FieldForm* compared_form(const FieldView& field) {
  const FieldForm& whole = field.form;
  if (whole.points_to_date()) return &FieldForm::of_dates(field.date_form);
  if (whole.is(FieldForm::Type::pointer)) return &FieldForm::plain();
  const bool is_scalar = whole.is(FieldForm::Type::plain) || whole.is(FieldForm::Type::date) ||
                         whole.is(FieldForm::Type::boolean);
  return is_scalar ? &whole : nullptr;
}

columns::Column at_path(columns::Column column, std::optional<std::string> path) {
  if (path) column.form = nullptr;
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
  std::optional<std::string> rest;
  if (dot != std::string_view::npos) rest = path.substr(dot + 1);
  const bool is_made = cls.id_form == IdForm::rowid || cls.id_form == IdForm::composite;
  if (is_made && root == cls.id_name()) {
    auto rowid = cls.key();
    if (!rowid) return std::nullopt;
    auto made = std::make_shared<const Field>(*std::move(rowid));
    return at_path(columns::Column(std::move(made)), std::move(rest));
  }
  const FieldView* const field = cls.find(root);
  if (field == nullptr) return std::nullopt;
  return at_path(columns::Column(*field, compared_form(*field), field->form), std::move(rest));
}

std::string lookup_column(const ClassView& cls, std::string_view path) {
  const auto column = plan_column(path, cls);
  return column && column->is(FieldForm::Type::plain) ? column->sql() : std::string();
}

}  // namespace gantry::data
