#include <algorithm>

#include "where/scalar.hpp"

namespace gantry::data::where {
namespace {

Fragment node_sql(const Node& node, bool negated);

Fragment two_valued(Fragment sql, bool negated) {
  if (!negated) return sql;
  return std::move(Fragment{"(", {}}.add(sql).add(" IS NOT TRUE)"));
}

// "Is null" and "is present" are each other's negation, and an index serves both.
bool asks_for_null(const Leaf& leaf) {
  const auto* compare = std::get_if<Compare>(&leaf.test);
  return compare != nullptr && compare->order == Order::eq && compare->value.is_nullish();
}

bool is_presence(const Leaf& leaf) {
  return std::holds_alternative<Present>(leaf.test) || asks_for_null(leaf);
}

Fragment presence(const Leaf& leaf, bool absent) {
  if (leaf.column->is_composite()) return {absent ? "0" : "1", {}};
  return {"(" + leaf.column->sql() + (absent ? " IS NULL)" : " IS NOT NULL)"), {}};
}

Fragment matched(const Leaf& leaf) {
  Fragment sql{"gantry_match(", {}};
  return std::move(sql.bind(make_matcher(leaf)).add(", " + leaf.column->sql() + ")"));
}

Fragment found(const Leaf& leaf, const Pattern& pattern) {
  const Field& field = leaf.column->field;
  const Fragment range = prefix_sql(field, pattern.prefix());
  Fragment sql{"(", {}};
  if (range.empty()) {
    return std::move(sql.add(type_guard(field, Value::Type::string)).add(matched(leaf)).add(")"));
  }
  sql.add(range);
  if (!pattern.prefix_is_all()) sql.add(" AND ").add(matched(leaf));
  return std::move(sql.add(")"));
}

Fragment bound(const Field& field, Order order, const Value& value) {
  Fragment sql = field.date_form == DateForm::iso_text
                     ? date_text_range(field, order, value.integer())
                     : date_compare_sql(field, order, value.integer());
  return sql.empty() ? sql : std::move(sql.add(" AND "));
}

Fragment date_compare(const Leaf& leaf, const Compare& test) {
  const Field& field = leaf.column->field;
  if (!test.value.is_date()) return compare_sql(field, test.order, test.value);
  if (field.date_form == DateForm::none) return matched(leaf);
  const std::int64_t millis = test.value.integer();
  if (field.date_form != DateForm::iso_text) return date_compare_sql(field, test.order, millis);
  Fragment sql{"(" + type_guard(field, Value::Type::string), {}};
  const Fragment range = date_text_range(field, test.order, millis);
  if (!range.empty()) sql.add(range).add(" AND ");
  return std::move(sql.add(matched(leaf)).add(")"));
}

// Milliseconds become an IN list. Other date forms are bounded by the first and last value, then
// matched one by one.
Fragment date_set(const Leaf& leaf, const OneOf& set) {
  const Field& field = leaf.column->field;
  const bool list = field.date_form == DateForm::epoch_millis;
  if (list || set.values().empty() || set.values().back().is_nullish()) {
    return one_of_sql(field, set);
  }
  std::vector<Fragment> parts;
  if (set.has_null()) parts.push_back(compare_sql(field, Order::eq, Value::null()));
  const Value& first = set.values()[set.has_null() ? 1 : 0];
  Fragment sql{"(", {}};
  if (field.date_form != DateForm::none) {
    sql.add(bound(field, Order::gte, first)).add(bound(field, Order::lte, set.values().back()));
  }
  parts.push_back(std::move(sql.add(matched(leaf)).add(")")));
  return joined(std::move(parts), " OR ", "0");
}

Fragment date(const Leaf& leaf) {
  if (const auto* compare = std::get_if<Compare>(&leaf.test)) return date_compare(leaf, *compare);
  if (const auto* set = std::get_if<OneOf>(&leaf.test)) return date_set(leaf, *set);
  return matched(leaf);
}

Fragment leaf_sql(const Leaf& leaf) {
  const Column& column = *leaf.column;
  if (is_presence(leaf)) return presence(leaf, asks_for_null(leaf));
  if (std::holds_alternative<Tested>(leaf.test)) return matched(leaf);
  if (column.stored_kind() == Kind::date) return date(leaf);
  if (const auto* test = std::get_if<Compare>(&leaf.test)) {
    return compare_sql(column.field, test->order, test->value);
  }
  if (const auto* test = std::get_if<OneOf>(&leaf.test)) return one_of_sql(column.field, *test);
  return found(leaf, *std::get<Found>(leaf.test).pattern);
}

Fragment leaf_node_sql(const Leaf& leaf, bool negated) {
  if (negated && is_presence(leaf)) return presence(leaf, !asks_for_null(leaf));
  return two_valued(leaf_sql(leaf), negated);
}

// Negation is pushed down to the leaves, which are two-valued, so that a double one cancels out.
Fragment group_sql(const Node& node, bool conjunction, bool negated) {
  std::vector<Fragment> parts;
  for (const Node& child : node.children) parts.push_back(node_sql(child, negated));
  return conjunction ? joined(std::move(parts), " AND ", "1")
                     : joined(std::move(parts), " OR ", "0");
}

Fragment node_sql(const Node& node, bool negated) {
  switch (node.type) {
    case Node::Type::all:
      return group_sql(node, !negated, negated);
    case Node::Type::any:
      return group_sql(node, negated, negated);
    case Node::Type::none:
      return group_sql(node, !negated, !negated);
    case Node::Type::leaf:
      return leaf_node_sql(node.leaf(), negated);
    case Node::Type::sql:
      break;
  }
  return two_valued(node.sql(), negated);
}

}  // namespace

Fragment emit(const Node& node) { return node_sql(node, false); }

}  // namespace gantry::data::where
