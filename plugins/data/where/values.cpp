#include "where/values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "values/extended_json.hpp"
#include "values/iso_date.hpp"

namespace gantry::data::where {
namespace {

using Type = View::Type;

int sign(bool less, bool greater) { return less ? -1 : (greater ? 1 : 0); }

// Exact even if the integer is not representable as double: the real's whole part is compared as an
// integer.
int compare_mixed(std::int64_t integer, double real) {
  if (std::isnan(real)) return 1;
  if (real >= 9223372036854775808.0) return -1;
  if (real < -9223372036854775808.0) return 1;
  const double whole = std::trunc(real);
  const auto truncated = static_cast<std::int64_t>(whole);
  if (integer != truncated) return sign(integer < truncated, true);
  return sign(whole<real, whole> real);
}

int compare_reals(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return sign(!std::isnan(b), !std::isnan(a));
  return sign(a<b, a> b);
}

int compare_numbers(const View& a, const View& b) {
  if (a.is_real && b.is_real) return compare_reals(a.real, b.real);
  if (a.is_real) return -compare_mixed(b.integer, a.real);
  if (b.is_real) return compare_mixed(a.integer, b.real);
  return sign(a.integer<b.integer, a.integer> b.integer);
}

int rank(const View& view) { return static_cast<int>(view.is_nothing() ? Type::null : view.type); }

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

const Json* member(const Json& object, std::string_view name) {
  const auto found = object.FindMember(
      Json(rapidjson::StringRef(name.data(), static_cast<rapidjson::SizeType>(name.size()))));
  return found == object.MemberEnd() ? nullptr : &found->value;
}

bool is_text(const Json* json) { return json != nullptr && json->IsString(); }

bool is_typed(const Json& object, std::string_view type) {
  if (object.MemberCount() == 0) return false;
  const Json* tag = member(object, "__type");
  return is_text(tag) && text_of(*tag) == type;
}

// The members of a pointer may have any order, so pointers are compared by class and id.
bool is_pointer(const Json& object) {
  return object.MemberCount() == 3 && is_typed(object, "Pointer") &&
         is_text(member(object, "className")) && is_text(member(object, "objectId"));
}

int compare_pointers(const Json& a, const Json& b) {
  const int by_class = text_of(*member(a, "className")).compare(text_of(*member(b, "className")));
  return by_class != 0 ? by_class
                       : text_of(*member(a, "objectId")).compare(text_of(*member(b, "objectId")));
}

int compare_members(const rapidjson::Value::Member& a, const rapidjson::Value::Member& b) {
  const View left = view_of(a.value);
  const View right = view_of(b.value);
  if (rank(left) != rank(right)) return rank(left) - rank(right);
  const int by_name = text_of(a.name).compare(text_of(b.name));
  return by_name != 0 ? by_name : compare(left, right);
}

int compare_objects(const Json& a, const Json& b) {
  if (is_pointer(a) && is_pointer(b)) return compare_pointers(a, b);
  auto left = a.MemberBegin();
  auto right = b.MemberBegin();
  for (; left != a.MemberEnd() && right != b.MemberEnd(); ++left, ++right) {
    if (const int order = compare_members(*left, *right); order != 0) return order;
  }
  return sign(right != b.MemberEnd(), left != a.MemberEnd());
}

int compare_arrays(const Json& a, const Json& b) {
  const auto shorter = std::min(a.Size(), b.Size());
  for (rapidjson::SizeType i = 0; i < shorter; ++i) {
    if (const int order = compare(view_of(a[i]), view_of(b[i])); order != 0) return order;
  }
  return sign(a.Size() < b.Size(), a.Size() > b.Size());
}

View number_of(const Value& value) {
  if (value.is_real()) return View::number(value.real());
  View view = View::number(value.integer());
  view.is_long = value.type() == Value::Type::int64;
  return view;
}

// {"$numberDouble":"Infinity"} and similar objects are numbers.
std::optional<View> spelled(const Json& json) {
  if (json.MemberCount() != 1 || !text_of(json.MemberBegin()->name).starts_with('$')) {
    return std::nullopt;
  }
  const Value value = read_extended(json);
  if (value.is_number()) return number_of(value);
  return value.is_date() ? std::optional(View::date(value.integer())) : std::nullopt;
}

View object_view(const Json& json) {
  if (const auto view = spelled(json)) return *view;
  View view;
  view.type = Type::object;
  view.json = &json;
  if (json.MemberCount() != 2 || !is_typed(json, "Date")) return view;
  const Json* iso = member(json, "iso");
  if (!is_text(iso)) return view;
  if (const auto millis = parse_iso_date(text_of(*iso))) {
    view.type = Type::date;
    view.integer = *millis;
  }
  return view;
}

View number_view(const Json& json) {
  return json.IsInt64() ? View::number(json.GetInt64()) : View::number(json.GetDouble());
}

}  // namespace

View View::of(Type type, std::int64_t integer) {
  View view;
  view.type = type;
  view.integer = integer;
  return view;
}

View View::number(double value) {
  View view = of(Type::number, 0);
  view.is_real = true;
  view.real = value;
  return view;
}

View View::string(std::string_view value) {
  View view = of(Type::string, 0);
  view.text = value;
  return view;
}

View View::bytes(std::string_view value) {
  View view = of(Type::bytes, 0);
  view.text = value;
  return view;
}

View view_of(const Json& json) {
  switch (json.GetType()) {
    case rapidjson::kNullType:
      return View::null();
    case rapidjson::kFalseType:
      return View::boolean(false);
    case rapidjson::kTrueType:
      return View::boolean(true);
    case rapidjson::kStringType:
      return View::string(text_of(json));
    case rapidjson::kNumberType:
      return number_view(json);
    case rapidjson::kObjectType:
      return object_view(json);
    case rapidjson::kArrayType:
      break;
  }
  View view;
  view.type = View::Type::array;
  view.json = &json;
  return view;
}

int compare(const View& a, const View& b) {
  if (rank(a) != rank(b)) return rank(a) - rank(b);
  switch (a.type) {
    case Type::missing:
    case Type::null:
      return 0;
    case Type::number:
      return compare_numbers(a, b);
    case Type::string:
      return a.text.compare(b.text);
    case Type::object:
      return compare_objects(*a.json, *b.json);
    case Type::array:
      return compare_arrays(*a.json, *b.json);
    case Type::bytes:
      if (a.text.size() != b.text.size()) return a.text.size() < b.text.size() ? -1 : 1;
      return a.text.compare(b.text);
    case Type::boolean:
    case Type::date:
      return sign(a.integer<b.integer, a.integer> b.integer);
  }
  return 0;
}

bool same_bracket(const View& a, const View& b) { return rank(a) == rank(b); }

}  // namespace gantry::data::where
