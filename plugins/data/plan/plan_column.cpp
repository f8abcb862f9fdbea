#include "plan/plan_column.hpp"

namespace gantry::data {
namespace {

std::optional<FieldForm> form_of(const FieldView& field, const std::optional<std::string>& below) {
  const FieldForm& whole = field.form;
  if (whole.is(FieldForm::Type::pointer) && below == "objectId") return FieldForm::id();
  const bool is_scalar = whole.is(FieldForm::Type::plain) || whole.is(FieldForm::Type::date) ||
                         whole.is(FieldForm::Type::boolean);
  return is_scalar && !below ? std::optional(whole) : std::nullopt;
}

}  // namespace

std::optional<PlanColumn> plan_column(std::string_view path, const ClassView& cls) {
  if (cls.is_document()) return std::nullopt;
  if (path.ends_with('.')) return std::nullopt;  // a field with an empty name, not the column
  const auto dot = path.find('.');
  const std::string_view root = path.substr(0, dot);
  std::optional<std::string> below;
  if (dot != std::string_view::npos) below = path.substr(dot + 1);
  const bool is_alias = root == "_id" && cls.find(root) == nullptr;
  if ((root == "objectId" || is_alias) && cls.id_form != IdForm::none) {
    auto field = cls.key();
    if (!field) return std::nullopt;
    const auto form = below ? std::nullopt : std::optional(FieldForm::id());
    return PlanColumn{form, FieldForm::id(), std::move(below), *std::move(field), true};
  }
  const FieldView* const field = cls.named(root);
  if (field == nullptr) return std::nullopt;
  return PlanColumn{form_of(*field, below), field->form, std::move(below), *field, false};
}

}  // namespace gantry::data
