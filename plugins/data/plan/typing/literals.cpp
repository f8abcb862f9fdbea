#include "plan/typing/literals.hpp"

#include <charconv>
#include <cmath>

#include "values/extended_json.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"
#include "values/pointer.hpp"
#include "values/utf8.hpp"
#include "view/object_id.hpp"

namespace gantry::data::typing {
namespace {

using Kind = Type::Kind;

// Missing: the text is no date.
Value date_of(std::string_view text) {
  const auto instant = parse_iso_date(text);
  return instant ? Value::date(*instant) : Value();
}

// Missing: the text is not the usual form of an integer.
Value integer_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && std::to_string(number) == text ? Value::integer(number) : Value();
}

// Missing: the text is not the id of a number, a date or bytes.
Value stored_id(std::string_view text, const Type& key) {
  if (key.stored == Kind::date) {
    Value date = date_of(text);
    if (!date.is_missing()) return date;
    const Value number = integer_of(text);  // as the key may be stored
    if (number.is_missing()) return {};
    return key.column->form.value(stored_of(number.integer()));
  }
  for (const Bind& bind : id_values(*key.column, text)) {
    if (const auto* integer = std::get_if<std::int64_t>(&bind)) return Value::integer(*integer);
    if (const auto* real = std::get_if<double>(&bind)) return Value::real(*real);
    const auto* bytes = std::get_if<Bytes>(&bind);
    if (bytes != nullptr && key.stored == Kind::bytes) return Value::bytes(bytes->data);
  }
  return {};
}

Value key_of(const Value& literal, const Type& key) {
  const Value& id = bare_id(literal);
  const bool may_be_text = key.stored == Kind::text || key.stored == Kind::any;
  if (id.is_string() && !may_be_text) {
    Value stored = stored_id(id.text(), key);
    if (!stored.is_missing()) return stored;
  }
  if (id.is_number() && key.stored == Kind::date) {  // as the key may be stored
    using Type = StoredValue::Type;
    const bool is_whole = id.is_integral();
    return key.column->form.value({is_whole ? Type::integer : Type::real,
                                   is_whole ? id.integer() : 0,
                                   is_whole ? 0 : id.number(),
                                   {}});
  }
  const bool is_number_as_text = key.stored == Kind::text && id.is_integral();
  return is_number_as_text ? Value::string(std::to_string(id.integer())) : id;
}

std::string shown(const Value& literal) {
  if (literal.is_string()) return clipped(literal.text(), 60);
  std::string json;
  append_value_json(literal, JsonDialect::plain, json);
  constexpr std::size_t kMost = 60;
  return json.size() <= kMost ? json : clipped(json);
}

bool is_day(const Value& literal) {
  constexpr std::size_t kDaySize = 10;  // "2026-11-21"
  return literal.is_string() && literal.text().size() == kDaySize &&
         parse_iso_date(literal.text()).has_value();
}

// "2026-11"
bool is_month(const Value& literal) {
  constexpr std::size_t kMonthSize = 7;
  return literal.is_string() && literal.text().size() == kMonthSize &&
         parse_iso_date(std::string(literal.text()) + "-01").has_value();
}

// Whether the column's texts are days without times.
bool holds_days(const Type& type) {
  return type.column != nullptr && type.column->iso_shape == "0000-00-00";
}

std::string next_day(const Value& literal) {
  constexpr std::int64_t kDay = 86'400'000;
  std::string text;
  append_iso_date(*parse_iso_date(literal.text()) + kDay, text);
  return text.substr(0, 10);
}

void warn_of_day(std::string_view name, std::string_view op, const Value& literal,
                 Warnings& warnings) {
  const std::string day(literal.text()), next = next_day(literal);
  std::string repair;
  if (op == "$eq" || op == "$in" || op == "$ne") {
    repair = "{\"$gte\":\"" + day + "\",\"$lt\":\"" + next + "\"}";
  } else if (op == "$lte") {
    repair = "{\"$lt\":\"" + next + "\"}";
  } else if (op == "$gt") {
    repair = "{\"$gte\":\"" + next + "\"}";
  } else {
    return;
  }
  warnings.add("\"" + day + "\" beside " + std::string(name) +
               " is the midnight that begins the day; " + "for the whole day write " + repair +
               " instead of " + std::string(op) + ".");
}

std::string repair_of(const Type& type, const Value& literal) {
  switch (type.kind) {
    case Kind::date:
      if (is_month(literal)) return "did you mean '" + std::string(literal.text()) + "-01'?";
      return "write a date as ISO 8601 text such as \"2026-11-21\".";
    case Kind::number:
      if (literal.is_string()) {
        const Value number = integer_of(literal.text());
        if (!number.is_missing()) return "did you mean " + shown(number) + "?";
      }
      return "write a number.";
    case Kind::text:
      if (literal.is_number()) return "did you mean \"" + shown(literal) + "\"?";
      return "write text.";
    case Kind::boolean:
      if (literal.is_number()) {
        return literal.number() != 0 ? "did you mean true?" : "did you mean false?";
      }
      return "write true or false.";
    case Kind::key:
      if (type.stored == Kind::date) return "write its date as ISO 8601 text.";
      if (type.stored == Kind::bytes) return "write its bytes as {\"$base64\": …}.";
      return type.stored == Kind::number ? "write its number." : "write its text.";
    default:
      return "write " + described(type) + ".";
  }
}

}  // namespace

Value converted(const Value& literal, const Type& type) {
  if (type.is(Kind::key)) return key_of(literal, type);
  if (!type.is(Kind::date) || !literal.is_string()) return literal;
  Value date = date_of(literal.text());
  return date.is_missing() ? literal : date;
}

bool may_hold_texts(const Type& type) {
  return type.compared() == Kind::text || type.is(Kind::any);
}

bool never_compare(const Type& a, const Type& b) {
  const auto is_known = [](Kind kind) { return kind != Kind::any && kind < Kind::key; };
  return is_known(a.compared()) && is_known(b.compared()) && a.compared() != b.compared();
}

void warn_of_literal(std::string_view name, const Type& type, std::string_view op,
                     const Value& literal, Warnings& warnings) {
  if (literal.is_nullish()) return;
  const Value same = converted(literal, type);
  if (type.is(Kind::date) && is_day(literal) && !holds_days(type)) {
    return warn_of_day(name, op, literal, warnings);
  }
  if (!never_compare(type, *type_of(same))) return;
  warnings.add("Comparing " + std::string(name) + ", which is " + described(type) + ", with " +
               "'" + shown(literal) + "' by " + std::string(op) + " matches " +
               (op == "$ne" || op == "$nin" ? "everything" : "nothing") + "; " +
               repair_of(type, literal));
}

void warn_of_types(std::string_view a_name, const Type& a, std::string_view b_name, const Type& b,
                   Warnings& warnings) {
  if (never_compare(a, b)) {
    warnings.add("Comparing " + std::string(a_name) + ", which is " + described(a) + ", with " +
                 std::string(b_name) + ", which is " + described(b) +
                 ", matches nothing; convert one of them.");
  } else if (a.is(Kind::key) && b.is(Kind::key) && a.target != b.target) {
    warnings.add(std::string(a_name) + " is " + described(a) + " and " + std::string(b_name) +
                 " is " + described(b) +
                 ": equal ids of different classes are different objects; "
                 "compare a pointer with the id of its own class.");
  }
}

}  // namespace gantry::data::typing
