#include <algorithm>
#include <optional>

#include "filter/columns/node.hpp"
#include "sql/compose.hpp"
#include "sql/dialect.hpp"
#include "sql/scalar.hpp"

namespace gantry::data::columns {
namespace {

// "Is null" and "is present" are each other's negation, and an index serves both.
bool compares_null(const Leaf& leaf) {
  const auto* compare = std::get_if<Compare>(&leaf.test);
  return compare != nullptr && compare->order == Order::eq && compare->value.is_nullish() &&
         leaf.column->form;
}

bool is_presence(const Leaf& leaf) {
  return std::holds_alternative<Present>(leaf.test) || compares_null(leaf);
}

Predicate presence(const Column& column, bool absent) {
  if (column.is_composite()) {
    return absent ? Predicate::never() : Predicate{{"1", {}}, {}};
  }
  return {{"(" + column.sql() + (absent ? " IS NULL)" : " IS NOT NULL)"), {}}, {}};
}

Fragment matched(const Column& column, std::shared_ptr<const Matcher> matcher) {
  Fragment sql{"gantry_match(", {}};
  return std::move(sql.bind(std::move(matcher)).add(", " + column.sql() + ")"));
}

// What the dialect says of one leaf: exactly, or wider. `test` decides on the rows that are left.
struct Said {
  Fragment sql;
  bool is_exact = false;
};

Said say(const Column& column, const Compare& test, const Dialect& dialect) {
  if (auto sql = dialect.compare(column.field, *column.form, test.order, test.value)) {
    return {std::move(*sql), true};
  }
  return {dialect.compare_bounds(column.field, *column.form, test.order, test.value)};
}

Said say(const Column& column, const OneOf& test, const Dialect& dialect) {
  if (auto sql = dialect.one_of(column.field, *column.form, test)) return {std::move(*sql), true};
  return {dialect.one_of_bounds(column.field, *column.form, test)};
}

Said say(const Column& column, const Found& test, const Dialect& dialect) {
  Fragment range = dialect.prefix(column.field, test.pattern->prefix());
  if (range.empty()) return {{type_test(column.field, Value::Type::string), {}}};
  return {std::move(range)};
}

Said say(const Leaf& leaf, const Dialect& dialect) {
  if (!leaf.column->form) return {};
  if (const auto* test = std::get_if<Compare>(&leaf.test)) return say(*leaf.column, *test, dialect);
  if (const auto* test = std::get_if<OneOf>(&leaf.test)) return say(*leaf.column, *test, dialect);
  if (const auto* test = std::get_if<Found>(&leaf.test)) return say(*leaf.column, *test, dialect);
  return {};
}

Fragment matcher_of(const Leaf& leaf) {
  if (const auto* found = std::get_if<Found>(&leaf.test)) {
    return matched(*leaf.column, make_matcher(found->pattern, leaf.column->whole));
  }
  return matched(*leaf.column, make_matcher(*leaf.column, test_of(leaf)));
}

Predicate leaf_sql(const Leaf& leaf, const Dialect& dialect) {
  if (is_presence(leaf)) return presence(*leaf.column, compares_null(leaf));
  Said said = say(leaf, dialect);
  if (said.is_exact) return {std::move(said.sql), {}};
  return {std::move(said.sql), matcher_of(leaf)};
}

Predicate node_sql(const Node& node, bool negated, const Dialect& dialect);

Predicate two_valued(Predicate sql, bool negated) { return negated ? none_of(sql) : sql; }

// Conditions that are AND-ed: those on one column share a matcher.
class Conjunction {
 public:
  explicit Conjunction(const Dialect& dialect) : dialect_(dialect) {}

  void add(const Node& node) {
    if (node.type != Node::Type::leaf || is_presence(node.leaf())) {
      return parts_.push_back(node_sql(node, false, dialect_));
    }
    Said said = say(node.leaf(), dialect_);
    if (!said.is_exact) leave(node.leaf());
    if (!said.sql.empty()) parts_.push_back({std::move(said.sql), {}});
  }

  Predicate finish() {
    for (const auto& leaves : left_) parts_.push_back({{}, matcher_of_all(leaves)});
    return all_of(std::move(parts_));
  }

 private:
  using Leaves = std::vector<const Leaf*>;

  void leave(const Leaf& leaf) {
    const auto same = std::find_if(left_.begin(), left_.end(), [&](const Leaves& leaves) {
      return leaves.front()->column == leaf.column;
    });
    if (same == left_.end()) {
      left_.push_back({&leaf});
    } else {
      same->push_back(&leaf);
    }
  }

  static Fragment matcher_of_all(const Leaves& leaves) {
    if (leaves.size() == 1) return matcher_of(*leaves.front());
    filter::Tests tests;
    for (const Leaf* leaf : leaves) tests.push_back(test_of(*leaf));
    const Column& column = *leaves.front()->column;
    return matched(column, make_matcher(column, filter::all_test(std::move(tests))));
  }

  const Dialect& dialect_;
  std::vector<Predicate> parts_;
  std::vector<Leaves> left_;  // by column
};

// Negation is pushed down to the leaves, which are two-valued, so that a double one cancels out.
Predicate group_sql(const Node& node, bool conjunction, bool negated, const Dialect& dialect) {
  if (conjunction && !negated) {
    Conjunction all(dialect);
    for (const Node& child : node.children) all.add(child);
    return all.finish();
  }
  std::vector<Predicate> parts;
  for (const Node& child : node.children) parts.push_back(node_sql(child, negated, dialect));
  return conjunction ? all_of(std::move(parts)) : any_of(parts);
}

Predicate leaf_node_sql(const Leaf& leaf, bool negated, const Dialect& dialect) {
  if (negated && is_presence(leaf)) return presence(*leaf.column, !compares_null(leaf));
  return two_valued(leaf_sql(leaf, dialect), negated);
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

Node Node::negated(Node child) {
  std::vector<Node> children;
  children.push_back(std::move(child));
  return group(Type::none, std::move(children));
}

Predicate emit(const Node& node, const Dialect& dialect) { return node_sql(node, false, dialect); }

}  // namespace gantry::data::columns
