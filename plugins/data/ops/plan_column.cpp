#include "ops/plan_column.hpp"

namespace gantry::data {
namespace {

std::optional<Field> id_field(const ClassInfo& cls) {
  if (cls.id_form == IdForm::rowid) return rowid_field(cls);
  if (cls.id_form == IdForm::column) return cls.fields[cls.id_fields.front()];
  return std::nullopt;
}

std::optional<FieldForm> form_of(const Field& field, const FieldForm& whole,
                                 const std::optional<std::string>& below) {
  if (whole.is(FieldForm::Type::pointer) && below == "objectId") return FieldForm::id();
  const bool is_scalar = whole.is(FieldForm::Type::plain) || whole.is(FieldForm::Type::date) ||
                         whole.is(FieldForm::Type::boolean);
  const bool is_json = field.kind == Kind::object || field.kind == Kind::array;
  return is_scalar && !is_json && !below ? std::optional(whole) : std::nullopt;
}

}  // namespace

std::optional<PlanColumn> plan_column(std::string_view path, const ClassInfo& cls,
                                      const Scope& scope) {
  if (!cls.document.empty()) return std::nullopt;
  if (path.ends_with('.')) return std::nullopt;  // a field with an empty name, not the column
  const auto dot = path.find('.');
  const std::string_view root = path.substr(0, dot);
  std::optional<std::string> below;
  if (dot != std::string_view::npos) below = path.substr(dot + 1);
  const bool is_alias = root == "_id" && scope.find_field(cls, root) == nullptr;
  if ((root == "objectId" || is_alias) && cls.id_form != IdForm::none) {
    auto field = id_field(cls);
    if (!field) return std::nullopt;
    const auto form = below ? std::nullopt : std::optional(FieldForm::id());
    return PlanColumn{form, FieldForm::id(), std::move(below), *std::move(field), true};
  }
  const Field* const role = cls.role(root);
  const Field* const field = role != nullptr ? role : scope.find_field(cls, root);
  if (field == nullptr || is_internal_field(root)) return std::nullopt;
  const FieldForm whole(*field, scope);
  return PlanColumn{form_of(*field, whole, below), whole, std::move(below), *field, false};
}

}  // namespace gantry::data
