#include "where/operand.hpp"

#include <limits>
#include <optional>

#include "rows/object_id.hpp"
#include "values/extended_json.hpp"
#include "values/iso_date.hpp"
#include "where/refusal.hpp"

namespace gantry::data::where {
namespace {

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

// The text member `name` of an object tagged {"__type": type}, or empty for other JSON.
std::optional<std::string_view> tagged(const Json& json, const char* type, const char* name) {
  if (!json.IsObject()) return std::nullopt;
  const auto tag = json.FindMember("__type");
  const auto found = json.FindMember(name);
  if (tag == json.MemberEnd() || !tag->value.IsString() || text_of(tag->value) != type ||
      found == json.MemberEnd() || !found->value.IsString()) {
    return std::nullopt;
  }
  return text_of(found->value);
}

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

[[noreturn]] void refuse_kind(const Json& json, const Column& column, std::string_view op) {
  const Kind kind = column.is_id ? Kind::string : column.field.kind;
  const std::string holds = column.is_id ? "an id" : std::string(kind_name(kind));
  refuse("Field '" + column.field.name + "' is " + (column.is_id ? "" : "of type ") + holds + "; " +
         std::string(op) + " got " + std::string(described(json)) + ". Use " +
         std::string(column.is_id ? "the id as a string" : accepted(kind)) + ".");
}

std::optional<View> number_of(const Json& json) {
  if (const View view = view_of(json); view.type == View::Type::number) return view;
  if (!json.IsString()) return std::nullopt;
  if (text_of(json) == "Infinity") return View::number(std::numeric_limits<double>::infinity());
  if (text_of(json) == "-Infinity") return View::number(-std::numeric_limits<double>::infinity());
  return std::nullopt;
}

std::optional<View> date_of(const Json& json) {
  if (const View view = view_of(json); view.type == View::Type::date) return view;
  std::optional<std::string_view> iso = tagged(json, "Date", "iso");
  if (json.IsString()) iso = text_of(json);
  const auto millis = iso ? parse_iso_date(*iso) : std::nullopt;
  return millis ? std::optional(View::date(*millis)) : std::nullopt;
}

std::optional<View> bytes_of(const Json& json, Source& source) {
  if (!json.IsObject()) return std::nullopt;
  const Value value = read_extended(json, {.parse_types = true});
  if (!value.is_bytes()) return std::nullopt;
  return View::bytes(source.keep(std::string(value.text())));
}

std::optional<View> any_of(const Json& json, Source& source) {
  if (json.IsString()) return view_of(json);
  if (const auto number = number_of(json)) return number;
  return bytes_of(json, source);
}

[[noreturn]] void refuse_id(const Column& column) {
  refuse("Field '" + column.field.name + "' " + (column.is_id ? "is" : "points to") +
         " an id that is stored as a number; the given id cannot be one.");
}

View kept(const Bind& value, Source& source) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return View::number(*integer);
  if (const auto* real = std::get_if<double>(&value)) return View::number(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return View::string(source.keep(*text));
  if (const auto* bytes = std::get_if<Bytes>(&value)) return View::bytes(source.keep(bytes->data));
  return View::null();
}

// Every stored value whose id is this text.
std::vector<View> stored_ids(std::string_view id, const Column& column, Source& source) {
  const Kind kind = column.stored_kind();
  const bool numeric = kind == Kind::integer || kind == Kind::number;
  std::vector<View> values;
  for (const Bind& value : id_values(column.field, id)) {
    const View view = kept(value, source);
    if (!numeric || view.type == View::Type::number) values.push_back(view);
  }
  return values;
}

std::vector<View> of_id(std::string_view id, const Column& column, Source& source) {
  std::vector<View> values = stored_ids(id, column, source);
  if (values.empty()) refuse_id(column);
  return values;
}

std::vector<View> of_bare_id(const Json& json, const Column& column, std::string_view op,
                             Source& source) {
  // The caller splits composite ids into their columns.
  if (json.IsString() && column.is_composite()) return {view_of(json)};
  if (json.IsString()) return of_id(text_of(json), column, source);
  const Kind kind = column.stored_kind();
  const bool numeric = kind == Kind::integer || kind == Kind::number || kind == Kind::any;
  const View view = view_of(json);
  if (view.type != View::Type::number || !numeric || column.is_composite()) {
    refuse_kind(json, column, op);
  }
  return {view};
}

std::vector<View> of_pointer(const Json& json, const Column& column, std::string_view op,
                             const Scope& scope, Source& source) {
  const auto id = tagged(json, "Pointer", "objectId");
  if (!id) return of_bare_id(json, column, op, source);
  const std::string& target = column.field.target_class;
  const auto named = tagged(json, "Pointer", "className");
  if (!named || *named != target) {
    const bool visible = scope.find_class(target) != nullptr;
    refuse("Field '" + column.field.name + "' does not point to the class the Pointer names" +
           (visible ? "; it points to '" + target + "'." : "."));
  }
  return of_id(*id, column, source);
}

std::optional<View> converted(const Json& json, const Column& column, Source& source) {
  switch (column.field.kind) {
    case Kind::string:
      return json.IsString() ? std::optional(view_of(json)) : std::nullopt;
    case Kind::integer:
    case Kind::number:
      return number_of(json);
    case Kind::boolean:
      return json.IsBool() ? std::optional(view_of(json)) : std::nullopt;
    case Kind::date:
      return date_of(json);
    case Kind::bytes:
      return bytes_of(json, source);
    case Kind::any:
      return any_of(json, source);
    case Kind::pointer:
    case Kind::object:
    case Kind::array:
      break;
  }
  return view_of(json);
}

}  // namespace

std::string_view described(const Json& json) {
  switch (json.GetType()) {
    case rapidjson::kNullType:
      return "null";
    case rapidjson::kFalseType:
    case rapidjson::kTrueType:
      return "a boolean";
    case rapidjson::kStringType:
      return "a string";
    case rapidjson::kNumberType:
      return "a number";
    case rapidjson::kArrayType:
      return "an array";
    case rapidjson::kObjectType:
      break;
  }
  if (view_of(json).type == View::Type::number) return "a number";
  return view_of(json).type == View::Type::date ? "a date" : "an object";
}

bool is_literal(const Json& object) {
  if (!object.IsObject() || object.MemberCount() != 1) return false;
  const std::string_view name = text_of(object.MemberBegin()->name);
  return name == "$date" || name == "$binary" || view_of(object).type != View::Type::object;
}

std::vector<View> ids_of(const Value& id, const Column& column, Source& source) {
  if (id.is_string()) return stored_ids(id.text(), column, source);
  const Kind kind = column.stored_kind();
  if (kind != Kind::integer && kind != Kind::number && kind != Kind::any) return {};
  return {id.is_real() ? View::number(id.real()) : View::number(id.integer())};
}

std::vector<View> to_operands(const Json& json, const Column& column, std::string_view op,
                              const Scope& scope, Source& source) {
  if (json.IsNull() || column.is_json()) return {view_of(json)};
  if (column.is_id) return of_bare_id(json, column, op, source);
  if (column.field.kind == Kind::pointer) return of_pointer(json, column, op, scope, source);
  const auto view = converted(json, column, source);
  if (!view) refuse_kind(json, column, op);
  return {*view};
}

}  // namespace gantry::data::where
