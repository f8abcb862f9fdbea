#include "ops/plan_column.hpp"

namespace gantry::data {
namespace {

std::optional<PlanColumn> id_column(std::string_view root, bool is_whole, const ClassInfo& cls) {
  if (cls.id_form != IdForm::rowid && cls.id_form != IdForm::column) return std::nullopt;
  const bool is_rowid = cls.id_form == IdForm::rowid;
  Field field = is_rowid ? rowid_field(cls) : cls.fields[cls.id_fields.front()];
  const auto form = is_whole ? std::optional(FieldForm::id()) : std::nullopt;
  return PlanColumn{std::string(root), form, std::move(field), true};
}

std::optional<FieldForm> form_of(const Field& field, std::string_view below, const Scope& scope) {
  if (field.kind == Kind::pointer) {
    const bool is_id = below == "objectId" && !scope.redacts(field);
    return is_id ? std::optional(FieldForm::id()) : std::nullopt;
  }
  const bool is_json = field.json || field.kind == Kind::object || field.kind == Kind::array;
  if (is_json || !below.empty()) return std::nullopt;
  return FieldForm(field, scope);
}

}  // namespace

std::optional<PlanColumn> plan_column(std::string_view path, const ClassInfo& cls,
                                      const Scope& scope) {
  if (!cls.document.empty()) return std::nullopt;
  if (path.ends_with('.')) return std::nullopt;  // a field with an empty name, not the column
  const auto dot = path.find('.');
  const std::string_view root = path.substr(0, dot);
  const std::string_view below =
      dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  const bool is_whole = dot == std::string_view::npos;
  const bool is_alias = root == "_id" && scope.find_field(cls, root) == nullptr;
  if ((root == "objectId" || is_alias) && cls.id_form != IdForm::none) {
    return id_column(root, is_whole, cls);
  }
  const Field* const role = cls.role(root);
  const Field* const field = role != nullptr ? role : scope.find_field(cls, root);
  if (field == nullptr || is_internal_field(root)) return std::nullopt;
  return PlanColumn{std::string(root), form_of(*field, below, scope), *field, false};
}

}  // namespace gantry::data
