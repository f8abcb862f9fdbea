#include "where/column.hpp"

#include "where/refusal.hpp"

namespace gantry::data::where {
namespace {

Field qualified(Field field, const std::string& qualifier) {
  field.column.insert(0, qualifier);
  return field;
}

ColumnPtr column_of(const Field& field, const Scope& scope, const std::string& qualifier) {
  auto column = std::make_shared<Column>();
  Field& own = column->field = qualified(field, qualifier);
  own.json = own.json || own.kind == Kind::object || own.kind == Kind::array;
  if (own.kind != Kind::pointer) column->form = FieldForm(own, scope);
  return column;
}

}  // namespace

Kind Column::stored_kind() const {
  const bool pointer = field.kind == Kind::pointer;
  const Kind kind = pointer ? field.native : field.kind;
  const bool plain =
      kind == Kind::string || kind == Kind::integer || kind == Kind::number || kind == Kind::bytes;
  // As an id, even a date is compared as the text of the id.
  return (pointer || is_id) && !plain ? Kind::any : kind;
}

ColumnPtr id_column(const ClassInfo& cls, const std::string& qualifier) {
  if (cls.id_form == IdForm::none) return nullptr;
  Column column;
  if (cls.id_form == IdForm::rowid) column.field = qualified(rowid_field(cls), qualifier);
  if (cls.id_form == IdForm::column) {
    column.field = qualified(cls.fields[cls.id_fields.front()], qualifier);
  }
  if (cls.id_form == IdForm::composite) {
    for (const std::size_t at : cls.id_fields) {
      column.parts.push_back(qualified(cls.fields[at], qualifier));
    }
  }
  column.field.name = "objectId";
  column.is_id = true;
  return std::make_shared<Column>(std::move(column));
}

ColumnPtr find_column(std::string_view name, const ClassInfo& cls, const Scope& scope,
                      const std::string& qualifier) {
  const bool alias = name == "_id" && scope.find_field(cls, name) == nullptr;
  if (name == "objectId" || alias) {
    if (ColumnPtr id = id_column(cls, qualifier)) return id;
    if (const Field* stored = scope.find_field(cls, name))
      return column_of(*stored, scope, qualifier);
    refuse("Class '" + cls.name + "' has no ids: it has no key. Use its fields instead.");
  }
  const Field* const role = cls.role(name);
  const Field* const field = role != nullptr ? role : scope.find_field(cls, name);
  return field == nullptr ? nullptr : column_of(*field, scope, qualifier);
}

}  // namespace gantry::data::where
