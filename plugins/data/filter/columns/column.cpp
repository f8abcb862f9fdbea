#include "filter/columns/column.hpp"

#include "filter/columns/refusal.hpp"

namespace gantry::data::columns {
namespace {

ColumnPtr column_of(const FieldView& field) {
  const FieldForm& form = field.kind == Kind::pointer ? FieldForm::plain() : field.form;
  auto column = std::make_shared<Column>(field, &form, form);
  column->is_redacted = field.redacted;
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

ColumnPtr id_column(const ClassView& cls) {
  if (cls.id_form == IdForm::none) return nullptr;
  auto field = std::make_shared<Field>(cls.key().value_or(Field()));
  field->name = kObjectId;
  auto column = std::make_shared<Column>(std::move(field));
  if (cls.id_form == IdForm::composite) {
    for (const FieldView& part : cls.key_fields) column->parts.push_back(part);
  }
  column->is_id = true;
  return column;
}

ColumnPtr find_column(std::string_view name, const ClassView& cls) {
  const FieldView* const field = cls.named(name);
  // A key that is called _id is compared as any key under its own name.
  if (cls.is_id_alias(name) && (name == kObjectId || field == nullptr)) return id_column(cls);
  if (field == nullptr && (name == kObjectId || name == kDocumentId)) {
    refuse("Class '" + cls.name + "' has no ids. Use its fields instead.");
  }
  if (field == nullptr) return nullptr;
  ColumnPtr column = column_of(*field);
  if (cls.id_form != IdForm::column || cls.id_name() != field->name) return column;
  auto key = std::make_shared<Column>(*column);
  key->is_key = true;
  return key;
}

}  // namespace gantry::data::columns
