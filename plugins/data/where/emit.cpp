#include <optional>

#include "sql/compose.hpp"
#include "sql/dialect.hpp"
#include "sql/scalar.hpp"

namespace gantry::data::where {
namespace {

Predicate node_sql(const Node& node, bool negated, const Dialect& dialect);

Predicate two_valued(Predicate sql, bool negated) { return negated ? none_of(sql) : sql; }

// "Is null" and "is present" are each other's negation, and an index serves both.
bool asks_for_null(const Leaf& leaf) {
  const auto* compare = std::get_if<Compare>(&leaf.test);
  return compare != nullptr && compare->order == Order::eq && compare->value.is_nullish();
}

bool is_presence(const Leaf& leaf) {
  return std::holds_alternative<Present>(leaf.test) || asks_for_null(leaf);
}

Predicate presence(const Leaf& leaf, bool absent) {
  if (leaf.column->is_composite()) return absent ? Predicate::never() : Predicate{{"1", {}}, {}};
  return {{"(" + leaf.column->sql() + (absent ? " IS NULL)" : " IS NOT NULL)"), {}}, {}};
}

Fragment matched(const Leaf& leaf) {
  Fragment sql{"gantry_match(", {}};
  return std::move(sql.bind(make_matcher(leaf)).add(", " + leaf.column->sql() + ")"));
}

Predicate found(const Leaf& leaf, const Pattern& pattern, const Dialect& dialect) {
  const Field& field = leaf.column->field;
  Fragment range = dialect.prefix(field, pattern.prefix());
  if (range.empty()) return {{type_test(field, Value::Type::string), {}}, matched(leaf)};
  if (pattern.prefix_is_all()) return {std::move(range), {}};
  return {std::move(range), matched(leaf)};
}

// The exact SQL, or the row matcher behind bounds that can use an index.
Predicate compared(const Leaf& leaf, std::optional<Fragment> exact, Fragment bounds) {
  if (exact) return {std::move(*exact), {}};
  return {std::move(bounds), matched(leaf)};
}

Predicate leaf_sql(const Leaf& leaf, const Dialect& dialect) {
  const Column& column = *leaf.column;
  if (is_presence(leaf)) return presence(leaf, asks_for_null(leaf));
  if (std::holds_alternative<Tested>(leaf.test)) return {{}, matched(leaf)};
  const Field& field = column.field;
  const FieldForm& form = column.form;
  if (const auto* test = std::get_if<Compare>(&leaf.test)) {
    return compared(leaf, dialect.compare(field, form, test->order, test->value),
                    dialect.compare_bounds(field, form, test->order, test->value));
  }
  if (const auto* test = std::get_if<OneOf>(&leaf.test)) {
    return compared(leaf, dialect.one_of(field, form, *test),
                    dialect.one_of_bounds(field, form, *test));
  }
  return found(leaf, *std::get<Found>(leaf.test).pattern, dialect);
}

Predicate leaf_node_sql(const Leaf& leaf, bool negated, const Dialect& dialect) {
  if (negated && is_presence(leaf)) return presence(leaf, !asks_for_null(leaf));
  return two_valued(leaf_sql(leaf, dialect), negated);
}

// Negation is pushed down to the leaves, which are two-valued, so that a double one cancels out.
Predicate group_sql(const Node& node, bool conjunction, bool negated, const Dialect& dialect) {
  std::vector<Predicate> parts;
  for (const Node& child : node.children) parts.push_back(node_sql(child, negated, dialect));
  return conjunction ? all_of(parts) : any_of(parts);
}

Predicate node_sql(const Node& node, bool negated, const Dialect& dialect) {
  switch (node.type) {
    case Node::Type::all:
      return group_sql(node, !negated, negated, dialect);
    case Node::Type::any:
      return group_sql(node, negated, negated, dialect);
    case Node::Type::none:
      return group_sql(node, !negated, !negated, dialect);
    case Node::Type::leaf:
      return leaf_node_sql(node.leaf(), negated, dialect);
    case Node::Type::sql:
      break;
  }
  return two_valued(node.sql(), negated);
}

}  // namespace

Predicate emit(const Node& node, const Dialect& dialect) { return node_sql(node, false, dialect); }

}  // namespace gantry::data::where
