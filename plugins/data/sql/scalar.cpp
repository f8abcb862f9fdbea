#include "sql/scalar.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "sql/key_values.hpp"

namespace gantry::data {
namespace {

using Type = Value::Type;

Bind bind_of(const Value& value) {
  if (value.is_real()) return value.real();
  if (value.is_string()) return std::string(value.text());
  if (value.is_bytes()) return Bytes{std::string(value.text())};
  if (value.is_nullish()) return nullptr;
  return value.integer();  // of a date or boolean too
}

std::string_view sign_of(Order order) {
  switch (order) {
    case Order::eq:
      return " = ";
    case Order::gt:
      return " > ";
    case Order::gte:
      return " >= ";
    case Order::lt:
      return " < ";
    case Order::lte:
      return " <= ";
  }
  return " = ";
}

// Whether a column with numeric affinity would convert this text to a number in a comparison.
bool may_look_numeric(std::string_view text) {
  return text.empty() ||
         std::string_view("0123456789+-. \t\n\v\f\r").find(text.front()) != std::string_view::npos;
}

// A range over text must not become a range over numbers. A column without its affinity cannot use
// an index but compares correctly. Equality is safe: the guard admits only texts, and
// numeric-looking texts are stored as numbers.
std::string text_operand(const Field& field, Order order, std::string_view text) {
  if (order != Order::eq && field.numeric_affinity && may_look_numeric(text)) {
    return "+" + by_bytes(field);
  }
  return by_bytes(field);
}

Fragment boolean_sql(const Field& field, Order order, bool value) {
  Array passing;
  for (const bool candidate : {false, true}) {
    const bool passes = order == Order::eq    ? candidate == value
                        : order == Order::gt  ? candidate > value
                        : order == Order::gte ? candidate >= value
                        : order == Order::lt  ? candidate < value
                                              : candidate <= value;
    if (passes) passing.push_back(Value::boolean(candidate));
  }
  return one_of_sql(field, OneOf(std::move(passing)));
}

Fragment null_sql(const Field& field, Order order) {
  const bool includes = order == Order::eq || order == Order::gte || order == Order::lte;
  return includes ? Fragment{"(" + field.column + " IS NULL)", {}} : Fragment{"0", {}};
}

Fragment list_sql(const Field& field, std::span<const Value> values) {
  const Type type = values.front().type();
  Fragment sql{"(" + type_guard(field, type), {}};
  std::vector<Bind> binds;
  std::transform(values.begin(), values.end(), std::back_inserter(binds), bind_of);
  sql.add(in_list(type == Type::string ? by_bytes(field) : field.column, padded(std::move(binds))));
  return std::move(sql.add(")"));
}

Fragment half(std::span<Fragment> parts, std::string_view word) {
  if (parts.size() == 1) return std::move(parts.front());
  const std::size_t middle = parts.size() <= 16 ? 1 : parts.size() / 2;
  Fragment sql{"(", {}};
  if (middle > 1) {
    sql.add(half(parts.first(middle), word)).add(word).add(half(parts.subspan(middle), word));
    return std::move(sql.add(")"));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) sql.add(word);
    sql.add(parts[i]);
  }
  return std::move(sql.add(")"));
}

bool is_number(Type type) { return type >= Type::int32 && type <= Type::real; }

// Whether the database guarantees that all non-null values have this type.
bool guaranteed(const Field& field, Type type) {
  const bool numbers = is_number(type) || type == Type::date;
  switch (field.storage) {
    case Kind::string:
      return type == Type::string;
    case Kind::bytes:
      return type == Type::bytes;
    case Kind::integer:
      return numbers || type == Type::boolean;
    case Kind::number:
      return numbers;
    default:
      return field.proven && field.kind != Kind::any;
  }
}

}  // namespace

// Tests whether a non-null value has the type; empty: always. All numbers sort before all texts,
// and this comparison is cheaper than typeof(); '+' keeps numeric-looking texts as texts.
std::string type_test(const Field& field, Type type) {
  if (guaranteed(field, type)) return {};
  const std::string kind = "typeof(" + field.column + ")";
  switch (type) {
    case Type::string:
      return kind + "='text'";
    case Type::bytes:
      return kind + "='blob'";
    case Type::boolean:
      return kind + "='integer'";
    default:
      return "+" + field.column + " < '' COLLATE BINARY";
  }
}

OneOf::OneOf(Array values) {
  const auto less = [](const Value& a, const Value& b) { return compare(a, b) < 0; };
  std::sort(values.begin(), values.end(), less);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  list = Value::array(std::move(values));
}

std::string by_bytes(const Field& field) {
  if (field.utf16) return field.column + " COLLATE gantry_utf8";
  return field.binary_collation ? field.column : field.column + " COLLATE BINARY";
}

std::string type_guard(const Field& field, Value::Type type) {
  const std::string test = type_test(field, type);
  return test.empty() ? test : test + " AND ";
}

std::string stored_guard(const Field& field) {
  switch (field.kind) {
    case Kind::string:
      return type_guard(field, Type::string);
    case Kind::bytes:
      return type_guard(field, Type::bytes);
    case Kind::boolean:
      return type_guard(field, Type::boolean);
    case Kind::any:
      return {};
    default:
      return type_guard(field, Type::int64);
  }
}

Fragment joined(std::vector<Fragment> parts, std::string_view word, std::string_view empty) {
  if (parts.empty()) return {std::string(empty), {}};
  const auto is_never = [](const Fragment& part) { return part.text == "0"; };
  if (word == " AND " && std::any_of(parts.begin(), parts.end(), is_never)) return {"0", {}};
  return half(parts, word);
}

Fragment compare_sql(const Field& field, Order order, const Value& value) {
  if (value.is_nullish()) return null_sql(field, order);
  if (value.is_boolean()) return boolean_sql(field, order, value.truth());
  Fragment sql{"(", {}};
  sql.add(value.is_string() ? text_operand(field, order, value.text()) : field.column);
  sql.add(sign_of(order)).bind(bind_of(value));
  // The type test comes last: most rows already failed the comparison, or an index made it.
  const std::string test = type_test(field, value.type());
  return std::move(sql.add(test.empty() ? "" : " AND ").add(test).add(")"));
}

Fragment one_of_sql(const Field& field, const OneOf& set) {
  std::vector<Fragment> parts;
  std::span<const Value> rest = set.values();
  while (!rest.empty()) {
    const int rank = type_rank(rest.front().type());
    const auto end = std::find_if(rest.begin(), rest.end(), [&](const Value& value) {
      return type_rank(value.type()) != rank;
    });
    const auto group = rest.first(static_cast<std::size_t>(end - rest.begin()));
    const bool single = group.size() == 1 && !group.front().is_boolean();
    parts.push_back(single ? compare_sql(field, Order::eq, group.front()) : list_sql(field, group));
    rest = rest.subspan(group.size());
  }
  return joined(std::move(parts), " OR ", "0");
}

Fragment prefix_sql(const Field& field, const std::string& prefix) {
  if (prefix.empty() || !field.binary_collation) return {};
  if (field.numeric_affinity && may_look_numeric(prefix)) return {};
  // UTF-8 has no byte 0xFF, so incrementing the last byte gives the first text after all texts with
  // the prefix.
  std::string next = prefix;
  next.back() = static_cast<char>(static_cast<unsigned char>(next.back()) + 1);
  Fragment sql{type_guard(field, Type::string) + field.column + " >= ", {}};
  sql.bind(prefix).add(" AND " + field.column + " < ").bind(std::move(next));
  return sql;
}

}  // namespace gantry::data
