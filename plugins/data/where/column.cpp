#include "where/column.hpp"

#include <algorithm>
#include <cmath>

#include "values/iso_date.hpp"
#include "where/refusal.hpp"

namespace gantry::data::where {
namespace {

constexpr double kMillisAtJulianZero = 210866760000000.0;

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

std::int64_t rounded(double millis) {
  if (!(std::fabs(millis) < 9.0e18)) return millis < 0 ? INT64_MIN : INT64_MAX;
  return static_cast<std::int64_t>(std::floor(millis + 0.5));
}

View plain(const StoredValue& value) {
  switch (value.type) {
    case StoredValue::Type::null:
      return View::null();
    case StoredValue::Type::integer:
      return View::number(value.integer);
    case StoredValue::Type::real:
      return View::number(value.real);
    case StoredValue::Type::text:
      return View::string(value.bytes);
    case StoredValue::Type::blob:
      break;
  }
  return View::bytes(value.bytes);
}

View date_of(const StoredValue& value, DateForm form) {
  if (form == DateForm::iso_text && value.is_text()) {
    const auto millis = parse_iso_date(value.bytes);
    return millis ? View::date(*millis) : plain(value);
  }
  if (!value.is_number() || form == DateForm::iso_text || form == DateForm::none) {
    return plain(value);
  }
  if (form == DateForm::epoch_seconds) return View::date(rounded(value.number() * 1000.0));
  if (form == DateForm::julian) {
    return View::date(rounded(value.number() * 86'400'000.0 - kMillisAtJulianZero));
  }
  return View::date(value.type == StoredValue::Type::integer ? value.integer : rounded(value.real));
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

View read_stored(const StoredValue& value, const Reading& reading) {
  if (reading.json && value.is_null()) return {};
  if (reading.kind == Kind::date) return date_of(value, reading.date_form);
  const bool bit =
      value.type == StoredValue::Type::integer && (value.integer == 0 || value.integer == 1);
  if (reading.kind == Kind::boolean && bit) return View::boolean(value.integer == 1);
  return plain(value);
}

}  // namespace gantry::data::where
