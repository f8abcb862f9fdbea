#include "where/column.hpp"

#include "policy/internal.hpp"
#include "rows/value_writer.hpp"
#include "values/extended_json.hpp"
#include "values/utf8.hpp"
#include "where/refusal.hpp"

namespace gantry::data::where {
namespace {

Field qualified(Field field, const std::string& qualifier) {
  field.column.insert(0, qualifier);
  return field;
}

ColumnPtr column_of(const Field& field, const Scope& scope, const std::string& qualifier) {
  auto column = std::make_shared<Column>();
  column->classes = scope.classes();
  column->field = qualified(field, qualifier);
  return column;
}

Column rowid_column(const ClassInfo& cls, const std::string& qualifier) {
  Column column;
  column.field.column = qualifier + cls.rowid;
  column.field.kind = Kind::integer;
  column.field.native = Kind::integer;
  column.field.storage = Kind::integer;
  column.field.proven = true;
  column.field.required = true;
  column.field.indexed = true;
  column.field.numeric_affinity = true;
  return column;
}

// createdAt and updatedAt are roles; the column that has the role may have another name.
const Field* find_stored(std::string_view name, const ClassInfo& cls, const Scope& scope) {
  if (name == "createdAt" && cls.created_at) return &cls.fields[*cls.created_at];
  if (name == "updatedAt" && cls.updated_at) return &cls.fields[*cls.updated_at];
  return scope.find_field(cls, name);
}

Value plain(const StoredValue& stored) {
  switch (stored.type) {
    case StoredValue::Type::null:
      break;
    case StoredValue::Type::integer:
      return Value::integer(stored.integer);
    case StoredValue::Type::real:
      return Value::real(stored.real);
    case StoredValue::Type::text:
      return Value::string(std::string(stored.bytes));
    case StoredValue::Type::blob:
      return Value::bytes(std::string(stored.bytes));
  }
  return Value::null();
}

Value date_of(const StoredValue& stored, DateForm form) {
  const auto instant = instant_of(stored, form);
  return instant ? Value::date(*instant) : plain(stored);
}

Value json_of(const StoredValue& stored, const Reading& reading) {
  if (stored.is_null()) return {};
  if (stored.is_text() && is_utf8(stored.bytes)) {
    auto json = read_extended(
        stored.bytes, {.parse_types = true, .keep_first_duplicate = true, .path = reading.path});
    if (json) return drop_internal(*json, reading.classes.get()), std::move(*json);
  }
  if (may_name_internal(stored.bytes)) return {};
  const bool is_text = stored.is_text() && is_utf8(stored.bytes);
  return !stored.is_text() || is_text ? plain(stored) : Value::bytes(std::string(stored.bytes));
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
  if (cls.id_form == IdForm::rowid) column = rowid_column(cls, qualifier);
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
  const Field* field = find_stored(name, cls, scope);
  return field == nullptr ? nullptr : column_of(*field, scope, qualifier);
}

Reading reading_of(const Column& column) {
  return {column.stored_kind(), column.field.date_form, column.is_json(), column.classes};
}

Reading reading_of(const Column& column, std::string_view path) {
  Reading reading = reading_of(column);
  for (;;) {
    const auto dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    // It may be the index of an array.
    if (!name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos) break;
    reading.path.emplace_back(name);
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return reading;
}

Value read_stored(const StoredValue& stored, const Reading& reading) {
  if (reading.json) return json_of(stored, reading);
  if (reading.kind == Kind::date) return date_of(stored, reading.date_form);
  const bool is_bit = stored.type == StoredValue::Type::integer && (stored.integer & ~1) == 0;
  if (reading.kind == Kind::boolean && is_bit) return Value::boolean(stored.integer == 1);
  return plain(stored);
}

}  // namespace gantry::data::where
