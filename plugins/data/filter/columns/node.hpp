// filter/columns/node.hpp: a filter that is bound to the columns of one class, as a tree. The
// values belong to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "filter/columns/column.hpp"
#include "filter/test.hpp"
#include "sql/dialect.hpp"
#include "sql/predicate.hpp"
#include "values/pattern.hpp"

namespace gantry::data::columns {

struct Compare {
  Order order;
  Value value;
};

// The column is not NULL.
struct Present {};

struct Found {
  std::shared_ptr<const Pattern> pattern;
};

// Any other condition, on the value or on what lies at the path.
struct Tested {
  std::shared_ptr<const filter::Test> test;
};
struct Leaf {
  ColumnPtr column;
  std::variant<Compare, OneOf, Present, Found, Tested> test;
};

struct Node {
  enum class Type : std::uint8_t { all, any, none, leaf, sql };
  Type type = Type::all;       // `all` without children is true, `any` without children is false
  std::vector<Node> children;  // children of all, any, none
  std::variant<std::monostate, Leaf, Predicate> content;  // Predicate: finished SQL

  static Node group(Type type, std::vector<Node> children) {
    if (type != Type::none && children.size() == 1) return std::move(children.front());
    return {type, std::move(children), {}};
  }
  static Node constant(bool answer) { return group(answer ? Type::all : Type::any, {}); }
  static Node of(Leaf leaf) { return {Type::leaf, {}, std::move(leaf)}; }
  static Node of(Predicate sql) { return {Type::sql, {}, std::move(sql)}; }
  static Node negated(Node child);

  const Leaf& leaf() const { return std::get<Leaf>(content); }
  const Predicate& sql() const { return std::get<Predicate>(content); }
};

// The SQL of the tree, and matchers for what the dialect does not say exactly. Empty: all rows.
Predicate emit(const Node& node, const Dialect& dialect);

// A test of the column's value, for a row matcher.
std::shared_ptr<const filter::Test> test_of(const Leaf& leaf);
// Runs as gantry_match(?, column): whether the column's value passes the test.
std::shared_ptr<const Matcher> make_matcher(const Column& column,
                                            std::shared_ptr<const filter::Test> test);
// The same for text that is read where it lies, as `form` shows it.
std::shared_ptr<const Matcher> make_matcher(std::shared_ptr<const Pattern> pattern, FieldForm form);

}  // namespace gantry::data::columns
