#include "plan/typing/parse_form.hpp"

#include "values/extended_json.hpp"
#include "values/iso_date.hpp"
#include "values/pointer.hpp"
#include "values/spending.hpp"

namespace gantry::data::typing {
namespace {

using Kind = Type::Kind;

bool is_pointer(const Type& type) {
  return type.is(Kind::key) && type.column != nullptr &&
         type.column->kind == gantry::data::Kind::pointer;
}

void add_common(const Value& row, const Type& type, ObjectBuilder& out) {
  const ClassView& cls = *type.cls;
  const std::string alias(cls.id_alias());
  const Value& id = row.find(cls.id_name());
  if (!alias.empty() && !id.is_missing()) out.add(alias, id_text_of(id));
  if (type.is_cut) return;
  for (const std::string_view name : kDateRoles) {
    const FieldView* const role = cls.role(name);
    const Value date = role == nullptr ? Value() : row.find(role->name);
    if (!date.is_date() || !fits_iso_date(date.integer())) continue;
    std::string text;
    append_iso_date(date.integer(), text);
    out.add(std::string(name), Value::string(std::move(text)));
  }
}

Value row_form(const Value& row, const Type& type) {
  ObjectBuilder out;
  add_common(row, type, out);
  const bool hides_key = type.has_implicit_id;
  for (const Member& one : row.members()) {
    const TypePtr inner = member(type, one.name);
    if (hides_key && one.name == type.cls->id_name()) continue;
    if (!one.name.empty() && one.name == type.cls->id_alias()) continue;
    if (is_date_role(one.name) && type.cls->role(one.name) != nullptr) continue;
    out.add(one.name, inner ? in_parse_form(one.value, *inner) : one.value);
  }
  return out.build();
}

}  // namespace

Value id_text_of(const Value& key) {
  if (key.is_string() || key.is_nullish()) return key;
  std::string text;
  append_value_json(key, JsonDialect::parse, text);
  return Value::string(std::move(text));
}

Value in_parse_form(const Value& value, const Type& type) {
  Spending::step_current();
  if (is_pointer(type) && !value.is_nullish() && !value.is_object() && !value.is_array()) {
    return pointer_value(type.target, id_text_of(value));
  }
  if (value.is_array() && type.is(Kind::array)) {
    Array elements;
    for (const Value& one : value.elements()) elements.push_back(in_parse_form(one, *type.element));
    return Value::array(std::move(elements));
  }
  if (!value.is_object() || !type.is(Kind::object)) return value;
  if (is_row(type)) return row_form(value, type);
  ObjectBuilder out;
  for (const Member& one : value.members()) {
    const TypePtr inner = member(type, one.name);
    out.add(one.name, inner ? in_parse_form(one.value, *inner) : one.value);
  }
  return out.build();
}

}  // namespace gantry::data::typing
