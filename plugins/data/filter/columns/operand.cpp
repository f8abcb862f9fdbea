#include "filter/columns/operand.hpp"

#include <limits>
#include <optional>

#include "filter/columns/refusal.hpp"
#include "values/extended_json.hpp"
#include "values/iso_date.hpp"
#include "values/utf8.hpp"
#include "view/object_id.hpp"

namespace gantry::data::columns {
namespace {

bool is_pointer(const Value& value) {
  const Value& type = value.find("__type");
  return type.is_string() && type.text() == "Pointer" && value.find("objectId").is_string();
}

bool is_numeric(Kind kind) { return kind == Kind::integer || kind == Kind::number; }

std::string_view accepted(Kind kind) {
  switch (kind) {
    case Kind::string:
      return "a string";
    case Kind::integer:
    case Kind::number:
      return "a number";
    case Kind::boolean:
      return "true or false";
    case Kind::date:
      return "ISO 8601 text such as \"2026-11-21\" or {\"__type\":\"Date\",\"iso\":…}";
    case Kind::bytes:
      return "{\"__type\":\"Bytes\",\"base64\":…}";
    case Kind::pointer:
      return "an id or {\"__type\":\"Pointer\",\"className\":…,\"objectId\":…}";
    case Kind::any:
      return "a string, a number or {\"__type\":\"Bytes\",\"base64\":…}";
    case Kind::object:
    case Kind::array:
      break;
  }
  return "any value";
}

std::string shown(const Value& value) {
  if (value.is_string()) return clipped(value.text());
  std::string json;
  append_value_json(value, JsonDialect::plain, json);
  return json;
}

// The literal of the column's kind that the caller probably means; empty: none.
std::string meant_by(const Value& value, Kind kind) {
  if (is_numeric(kind) && value.is_string()) {
    const auto number = read_extended(value.text());
    return number && number->is_number() ? shown(*number) : std::string();
  }
  const bool is_bit = value.is_integral() && (value.integer() & ~1) == 0;
  if (kind == Kind::boolean && is_bit) return value.integer() != 0 ? "true" : "false";
  const bool is_number_as_text = kind == Kind::string && value.is_integral();
  return is_number_as_text ? "'" + shown(value) + "'" : std::string();
}

[[noreturn]] void refuse_kind(const Value& value, const Column& column, std::string_view op) {
  const Kind kind = column.is_id ? Kind::string : column.field.kind;
  const std::string holds = column.is_id ? "an id" : std::string(kind_name(kind));
  const std::string meant = column.is_composite() ? std::string() : meant_by(value, kind);
  const std::string given = value.is_string() ? "'" + shown(value) + "'" : shown(value);
  refuse("Field '" + column.field.name + "' is " + (column.is_id ? "" : "of type ") + holds + "; " +
         std::string(op) + " got " + std::string(described(value)) + ". Use " +
         std::string(column.is_id ? "the id as a string" : accepted(kind)) + "." +
         (meant.empty() ? "" : " Instead of " + given + ", did you mean " + meant + "?"));
}

[[noreturn]] void refuse_id(const Column& column) {
  refuse("Field '" + column.field.name + "' " + (column.is_id ? "is" : "points to") +
         " an id that is stored as a number; the given id cannot be one.");
}

// Missing: it is none.
Value number_of(const Value& value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (value.is_number()) return value;
  if (value.is_string() && value.text() == "Infinity") return Value::real(kInfinity);
  if (value.is_string() && value.text() == "-Infinity") return Value::real(-kInfinity);
  return {};
}

Value date_of(const Value& value) {
  if (value.is_date()) return value;
  const auto instant = value.is_string() ? parse_iso_date(value.text()) : std::nullopt;
  return instant ? Value::date(*instant) : Value();
}

// The value as the column's kind; missing: it cannot be one.
Value converted(const Value& value, Kind kind) {
  const auto if_fits = [&value](bool fits) { return fits ? value : Value(); };
  switch (kind) {
    case Kind::string:
      return if_fits(value.is_string());
    case Kind::integer:
    case Kind::number:
      return number_of(value);
    case Kind::boolean:
      return if_fits(value.is_boolean());
    case Kind::date:
      return date_of(value);
    case Kind::bytes:
      return if_fits(value.is_bytes());
    case Kind::any:
      return if_fits(value.is_string() || value.is_bytes() || value.is_number());
    case Kind::pointer:
    case Kind::object:
    case Kind::array:
      break;
  }
  return value;
}

Value stored_value(const Bind& bind) {
  if (const auto* integer = std::get_if<std::int64_t>(&bind)) return Value::integer(*integer);
  if (const auto* real = std::get_if<double>(&bind)) return Value::real(*real);
  if (const auto* text = std::get_if<std::string>(&bind)) return Value::string(*text);
  if (const auto* bytes = std::get_if<Bytes>(&bind)) return Value::bytes(bytes->data);
  return Value::null();
}

// Every stored value whose id is this text.
Array stored_ids(std::string_view id, const Column& column) {
  const bool only_numbers = is_numeric(column.stored_kind());
  Array values;
  for (const Bind& bind : id_values(column.field, id)) {
    Value value = stored_value(bind);
    if (!only_numbers || value.is_number()) values.push_back(std::move(value));
  }
  return values;
}

Array of_id(std::string_view id, const Column& column) {
  Array values = stored_ids(id, column);
  if (values.empty()) refuse_id(column);
  return values;
}

Array of_bare_id(const Value& value, const Column& column, std::string_view op) {
  // The caller splits composite ids into their columns.
  if (value.is_string() && column.is_composite()) return {value};
  if (value.is_string()) return of_id(value.text(), column);
  const Field& field = column.field;
  if (value.is_date() && (field.kind == Kind::date || field.key_kind == Kind::date)) {
    std::string text;
    append_iso_date(value.integer(), text);
    return of_id(text, column);
  }
  const Kind kind = column.stored_kind();
  if (kind == Kind::string && value.is_integral()) return of_id(shown(value), column);
  const bool can_be_bytes = (kind == Kind::bytes || kind == Kind::any) && !column.is_composite();
  if (value.is_bytes() && can_be_bytes) return {value};
  const bool can_be_number = (is_numeric(kind) || kind == Kind::any) && !column.is_composite();
  if (!value.is_number() || !can_be_number) refuse_kind(value, column, op);
  return {value};
}

Array of_pointer(const Value& value, const Column& column, std::string_view op,
                 const Scope& scope) {
  if (!is_pointer(value)) return of_bare_id(value, column, op);
  const std::string& target = column.field.target_class;
  const Value& named = value.find("className");
  if (!named.is_string() || named.text() != target) {
    const bool visible = scope.open(target) != nullptr;
    refuse("Field '" + column.field.name + "' does not point to the class the Pointer names" +
           (visible ? "; it points to '" + target + "'." : "."));
  }
  return of_id(value.find("objectId").text(), column);
}

// A key by its own name takes ids in the forms that objectId takes.
bool is_other_form_of_key(const Value& value, const Column& column) {
  if (!column.is_key) return false;
  const Kind kind = column.stored_kind();
  return is_pointer(value) || (is_numeric(kind) && value.is_string()) ||
         (kind == Kind::string && value.is_number());
}

}  // namespace

std::string_view described(const Value& value) {
  if (value.is_nullish()) return "null";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "a boolean";
  if (value.is_array()) return "an array";
  if (value.is_bytes()) return "binary data";
  return value.is_date() ? "a date" : "an object";
}

Array ids_of(const Value& id, const Column& column) {
  if (id.is_string()) return stored_ids(id.text(), column);
  const Kind kind = column.stored_kind();
  return is_numeric(kind) || kind == Kind::any ? Array{id} : Array{};
}

Array to_operands(const Value& value, const Column& column, std::string_view op,
                  const Scope& scope) {
  if (value.is_nullish() || column.is_json()) return {value};
  if (column.is_id || is_other_form_of_key(value, column)) {
    return of_bare_id(is_pointer(value) ? value.find("objectId") : value, column, op);
  }
  if (column.field.kind == Kind::pointer) return of_pointer(value, column, op, scope);
  Value operand = converted(value, column.field.kind);
  if (operand.is_missing()) refuse_kind(value, column, op);
  return {std::move(operand)};
}

}  // namespace gantry::data::columns
