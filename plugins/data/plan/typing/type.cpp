#include "plan/typing/type.hpp"

#include <utility>

namespace gantry::data::typing {
namespace {

using Kind = Type::Kind;

Kind kind_of(gantry::data::Kind kind) {
  using Field = gantry::data::Kind;
  switch (kind) {
    case Field::integer:
    case Field::number:
      return Kind::number;
    case Field::string:
      return Kind::text;
    case Field::boolean:
      return Kind::boolean;
    case Field::date:
      return Kind::date;
    case Field::bytes:
      return Kind::bytes;
    default:
      return Kind::any;
  }
}

Kind stored_kind(const FieldView& field) {
  using Field = gantry::data::Kind;
  const Field key = field.key_kind == Field::date ? Field::date : field.native;
  const Kind kind = kind_of(field.kind == Field::pointer ? key : field.kind);
  return kind == Kind::boolean ? Kind::any : kind;
}

TypePtr key_type(const ClassView& cls, const FieldView& field, std::string target,
                 std::string target_field) {
  Type type;
  type.kind = Kind::key;
  type.target = std::move(target);
  type.target_field = std::move(target_field);
  type.stored = stored_kind(field);
  type.column = &field;
  type.owner = &cls;
  return std::make_shared<const Type>(std::move(type));
}

TypePtr column_type(const ClassView& cls, const FieldView& field) {
  if (field.redacted || field.json) return any_type();
  if (field.kind == gantry::data::Kind::pointer) {
    return key_type(cls, field, field.target_class, field.target_field);
  }
  const bool is_key = cls.id_name() == field.name && cls.id_form == IdForm::column;
  const Kind kind = kind_of(field.kind);
  const bool is_id = kind == Kind::number || kind == Kind::text || kind == Kind::bytes;
  if (is_key && is_id) {
    return key_type(cls, field, cls.name, field.name);
  }
  Type type;
  type.kind = kind;
  type.column = &field;
  type.owner = &cls;
  return std::make_shared<const Type>(std::move(type));
}

TypePtr class_member(const ClassView& cls, std::string_view name) {
  const bool is_made = cls.id_form == IdForm::rowid || cls.id_form == IdForm::composite;
  if (is_made && name == cls.id_name()) {
    return scalar(cls.id_form == IdForm::rowid ? Kind::number : Kind::text);
  }
  const FieldView* const field = cls.find(name);
  return field == nullptr ? nullptr : column_type(cls, *field);
}

}  // namespace

bool is_row(const Type& type) {
  return type.is(Kind::object) && type.cls != nullptr && !type.cls->is_open();
}

// Without a reference count, which all threads would share. A thread-local pointer would keep the
// library mapped until its threads end.
TypePtr any_type() {
  static const Type any;
  return {TypePtr(), &any};
}

TypePtr scalar(Kind kind) {
  Type type;
  type.kind = kind;
  return std::make_shared<const Type>(std::move(type));
}

TypePtr array_of(TypePtr element) {
  Type type;
  type.kind = Kind::array;
  type.element = std::move(element);
  return std::make_shared<const Type>(std::move(type));
}

TypePtr object_with(TypesByName members) {
  Type type;
  type.kind = Kind::object;
  type.members = std::move(members);
  return std::make_shared<const Type>(std::move(type));
}

TypePtr type_of(const Value& literal) {
  if (literal.is_number()) return scalar(Kind::number);
  if (literal.is_string()) return scalar(Kind::text);
  if (literal.is_boolean()) return scalar(Kind::boolean);
  if (literal.is_date()) return scalar(Kind::date);
  return literal.is_bytes() ? scalar(Kind::bytes) : any_type();
}

TypePtr document_of(const ClassView* cls) {
  Type type;
  type.kind = Kind::object;
  type.cls = cls;
  type.is_open = cls == nullptr || cls->is_open();
  return std::make_shared<const Type>(std::move(type));
}

const Type& compared(const Type& type) {
  const Type* at = &type;
  while (at->is(Kind::array)) at = at->element.get();
  return *at;
}

TypePtr common(const TypePtr& a, const TypePtr& b) {
  if (a == b || (a->kind == b->kind && a->cls == b->cls && a->column == b->column &&
                 a->kind != Kind::object && a->kind != Kind::array)) {
    return a;
  }
  const bool are_scalars = a->kind < Kind::key && a->kind == b->kind;
  return are_scalars ? scalar(a->kind) : any_type();
}

TypePtr member(const Type& object, std::string_view name) {
  if (!object.is(Kind::object)) return any_type();
  const auto made = object.members.find(name);
  if (made != object.members.end()) return made->second;
  if (is_row(object) && !object.is_cut) {
    if (TypePtr type = class_member(*object.cls, name)) return type;
  }
  return object.is_open ? any_type() : nullptr;
}

TypePtr united(const Type& a, const Type& b) {
  const auto is_listed = [](const Type& type) {
    return type.is(Kind::object) && !type.is_open && (type.cls == nullptr || type.is_cut);
  };
  if (!is_listed(a) || !is_listed(b)) return document_of(nullptr);
  TypesByName members = a.members;
  for (const auto& [name, type] : b.members) {
    const auto [known, is_new] = members.try_emplace(name, type);
    if (!is_new && known->second && type) known->second = common(known->second, type);
  }
  return object_with(std::move(members));
}

TypePtr cut_to(const TypePtr& object, TypesByName members, bool has_implicit_id) {
  Type cut;
  cut.has_implicit_id = has_implicit_id;
  cut.kind = Kind::object;
  if (is_row(*object)) cut.cls = object->cls;
  cut.is_cut = true;
  cut.members = std::move(members);
  return std::make_shared<const Type>(std::move(cut));
}

TypePtr with_member(const TypePtr& object, const std::string& name, TypePtr type) {
  Type changed = *object;
  if (!changed.is(Kind::object)) {
    changed = Type{};
    changed.kind = Kind::object;
    changed.is_open = true;
  }
  changed.members[name] = std::move(type);
  return std::make_shared<const Type>(std::move(changed));
}

std::string_view real_name(const Type& object, std::string_view name) {
  if (!is_row(object)) return name;
  if (object.members.count(name) > 0) return name;
  if (object.cls->find(name) != nullptr && !object.is_cut) return name;
  if (object.cls->is_id_alias(name)) return object.cls->id_name();
  const FieldView* const role = object.cls->role(name);
  return role == nullptr ? name : std::string_view(role->name);
}

std::string described(const Type& type) {
  switch (type.kind) {
    case Kind::number:
      return "a number";
    case Kind::text:
      return "text";
    case Kind::boolean:
      return "true or false";
    case Kind::date:
      return "a date";
    case Kind::bytes:
      return "binary data";
    case Kind::key:
      return "the id of an object of '" + type.target + "'";
    case Kind::object:
      return "an object";
    case Kind::array:
      return "an array";
    case Kind::any:
      break;
  }
  return "any value";
}

}  // namespace gantry::data::typing
