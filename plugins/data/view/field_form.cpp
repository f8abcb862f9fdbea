#include "view/field_form.hpp"

#include <cmath>
#include <map>

#include "policy/internal.hpp"
#include "values/extended_json.hpp"
#include "values/pointer.hpp"
#include "values/utf8.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

using Type = FieldForm::Type;

Type type_of(const Field& field, bool redacted) {
  if (field.kind == Kind::pointer) return redacted ? Type::redacted : Type::pointer;
  if (field.json) return Type::json;
  if (field.kind == Kind::date) return Type::date;
  return field.kind == Kind::boolean ? Type::boolean : Type::plain;
}

Value plain_value(const StoredValue& stored) {
  switch (stored.type) {
    case StoredValue::Type::null:
      break;
    case StoredValue::Type::integer:
      return Value::integer(stored.integer);
    case StoredValue::Type::real:
      return Value::real(stored.real);
    case StoredValue::Type::text:
      if (is_utf8(stored.bytes)) return Value::string(std::string(stored.bytes));
      [[fallthrough]];
    case StoredValue::Type::blob:
      return Value::bytes(std::string(stored.bytes));
  }
  return {};
}

Value date_value(const StoredValue& stored, DateForm form) {
  const auto instant = instant_of(stored, form);
  return instant ? Value::date(*instant) : plain_value(stored);
}

Value json_value(const StoredValue& stored, const ClassFilter* classes,
                 std::span<const std::string> path) {
  const auto plain = [&] {
    return may_hold_hidden(stored.bytes, classes) ? Value() : plain_value(stored);
  };
  if (!stored.is_text()) return plain();
  auto read = read_extended(stored.bytes,
                            {.parse_types = true, .keep_first_duplicate = true, .path = path});
  if (!read) return plain();
  drop_internal(*read, classes);
  return std::move(*read);
}

// Appends numbers as in JSON and texts unchanged. Returns false and appends nothing if the value
// must be written as JSON.
bool append_bare(const StoredValue& stored, std::string& out) {
  if (stored.type == StoredValue::Type::integer) {
    return append_json_integer(stored.integer, out), true;
  }
  const bool is_number = stored.type == StoredValue::Type::real && std::isfinite(stored.real);
  if (is_number) return append_json_double(stored.real, out), true;
  const bool is_text = stored.is_text() && is_utf8(stored.bytes);
  if (is_text) out += stored.bytes;
  return is_text;
}

}  // namespace

FieldForm::FieldForm(const Field& field, bool redacted, ClassFilterPtr classes)
    : type_(type_of(field, redacted)),
      points_to_date_(type_ == Type::pointer && field.key_kind == Kind::date),
      date_form_(field.date_form),
      target_(field.target_class) {
  holds_texts_ = type_ == Type::plain || type_ == Type::date || type_ == Type::boolean;
  if (holds_texts_ || type_ == Type::json) classes_ = std::move(classes);
  if (type_ == Type::pointer) json_ = pointer_prefix(quoted_json(target_));
  if (type_ == Type::redacted) json_ = redacted_json(quoted_json(target_));
}

const FieldForm& FieldForm::plain() {
  static const FieldForm form(Type::plain);
  return form;
}

const FieldForm& FieldForm::of_dates(DateForm form) {
  static const auto all = [] {
    std::map<DateForm, FieldForm> forms;
    for (const DateForm one : {DateForm::none, DateForm::iso_text, DateForm::epoch_seconds,
                               DateForm::epoch_millis, DateForm::julian}) {
      forms.emplace(one, FieldForm(Type::date)).first->second.date_form_ = one;
    }
    return forms;
  }();
  return all.at(form);
}

FieldForm FieldForm::as_role() const {
  FieldForm form = *this;
  form.type_ = Type::instant;
  return form;
}

bool FieldForm::hides_part_of(std::string_view text) const {
  return holds_texts_ && shown_text(text, classes_.get()).has_value();
}

std::string_view FieldForm::seen(std::string_view text, std::string& room) const {
  auto shown = holds_texts_ ? shown_text(text, classes_.get()) : std::nullopt;
  if (!shown) return text;
  return room = std::move(*shown);
}

StoredValue FieldForm::seen_value(const StoredValue& stored, std::string& room) const {
  if (!may_hide(stored)) return stored;
  return {stored.type, 0, 0, seen(stored.bytes, room)};
}

void FieldForm::write_seen(const StoredValue& stored, JsonDialect form, JsonAppender& out) const {
  std::string room;
  const StoredValue shown = seen_value(stored, room);
  return type_ == Type::plain ? write_value(shown, form, out) : write_typed(shown, form, out);
}

FieldForm FieldForm::at_path(std::string_view path) const {
  FieldForm form = *this;
  for (;;) {
    const auto dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    // It may be the index of an array.
    if (!name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos) break;
    form.path_.emplace_back(name);
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return form;
}

Value FieldForm::value(const StoredValue& raw) const {
  if (raw.is_null() && type_ != Type::id) return {};
  std::string room;
  const StoredValue stored = seen_value(raw, room);
  switch (type_) {
    case Type::date:
    case Type::instant:
      return date_value(stored, date_form_);
    case Type::boolean:
      return is_bit(stored) ? Value::boolean(stored.integer != 0) : plain_value(stored);
    case Type::json:
      return json_value(stored, classes_.get(), path_);
    case Type::id:
      return Value::string(id_text(stored));
    case Type::redacted:
      return redacted_pointer(target_);
    case Type::pointer:
      return points_to_date_ ? date_value(stored, date_form_) : plain_value(stored);
    case Type::plain:
      break;
  }
  return plain_value(stored);
}

void FieldForm::write_typed(const StoredValue& stored, JsonDialect form, JsonAppender& out) const {
  switch (type_) {
    case Type::id:
      return write_id(stored, out);
    case Type::date:
      return write_date(stored, date_form_, form, out);
    case Type::instant:
      return write_instant(stored, date_form_, out);
    case Type::boolean:
      return write_boolean(stored, form, out);
    case Type::json:
      return write_json(stored, classes_.get(), form, out);
    case Type::pointer:
      if (form != JsonDialect::plain) break;
      return write_date(stored, date_form_, form, out);
    case Type::plain:  // written by write(), as other pointers in plain
    case Type::redacted:
      break;
  }
  if (stored.is_null()) return out.put("null");
  out.put(json_);
  if (type_ == Type::redacted) return;
  write_id(stored, out);
  out.put('}');
}

FieldForm::Shown FieldForm::append_shown(const StoredValue& raw, JsonDialect form,
                                         std::string& out) const {
  if (raw.is_null() && type_ != Type::id) return Shown::nothing;
  std::string room;
  const StoredValue stored = seen_value(raw, room);
  const bool is_shown_date = points_to_date_ && form == JsonDialect::plain;
  const bool is_key = type_ == Type::id || (type_ == Type::pointer && !is_shown_date);
  if (is_key) return append_id(stored, out), Shown::text;
  if (type_ == Type::boolean && is_bit(stored)) {
    return out += stored.integer != 0 ? "true" : "false", Shown::text;
  }
  const bool is_date = is_shown_date || type_ == Type::date || type_ == Type::instant;
  const auto instant = is_date ? instant_of(stored, date_form_) : std::nullopt;
  if (instant && form == JsonDialect::plain) {
    return append_short_iso_date(*instant, out), Shown::text;
  }
  if (instant) return append_iso_date(*instant, out), Shown::text;
  if ((is_date || type_ == Type::plain) && append_bare(stored, out)) return Shown::text;
  JsonAppender json(out);
  write(stored, form, json);
  json.flush();
  return Shown::json;
}

}  // namespace gantry::data
