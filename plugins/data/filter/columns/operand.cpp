#include "filter/columns/operand.hpp"

#include <limits>
#include <optional>

#include "filter/columns/refusal.hpp"
#include "values/iso_date.hpp"
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

[[noreturn]] void refuse_kind(const Value& value, const Column& column, std::string_view op) {
  const Kind kind = column.is_id ? Kind::string : column.field.kind;
  const std::string holds = column.is_id ? "an id" : std::string(kind_name(kind));
  refuse("Field '" + column.field.name + "' is " + (column.is_id ? "" : "of type ") + holds + "; " +
         std::string(op) + " got " + std::string(described(value)) + ". Use " +
         std::string(column.is_id ? "the id as a string" : accepted(kind)) + ".");
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
  const Kind kind = column.stored_kind();
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
  if (column.is_id) return of_bare_id(value, column, op);
  if (column.field.kind == Kind::pointer) return of_pointer(value, column, op, scope);
  Value operand = converted(value, column.field.kind);
  if (operand.is_missing()) refuse_kind(value, column, op);
  return {std::move(operand)};
}

}  // namespace gantry::data::columns
