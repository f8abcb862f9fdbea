// where/node.hpp: a where that was read for one class, as a tree. Its literals have the types of
// their columns. The values belong to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "match/test.hpp"
#include "sql/dialect.hpp"
#include "sql/predicate.hpp"
#include "values/pattern.hpp"
#include "where/column.hpp"

namespace gantry::data::where {

struct Compare {
  Order order;
  Value value;
};

// The column is not NULL.
struct Present {};

struct Found {
  std::shared_ptr<const Pattern> pattern;
};

// Any other condition, on the value of the column or on what lies at a path below it.
struct Tested {
  std::shared_ptr<const match::Test> test;
  std::optional<std::string> path = {};
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
    return {type, std::move(children), {}};
  }
  static Node constant(bool answer) { return group(answer ? Type::all : Type::any, {}); }
  static Node of(Leaf leaf) { return {Type::leaf, {}, std::move(leaf)}; }
  static Node of(Predicate sql) { return {Type::sql, {}, std::move(sql)}; }
  static Node negated(Node child);

  const Leaf& leaf() const { return std::get<Leaf>(content); }
  const Predicate& sql() const { return std::get<Predicate>(content); }
};

// The SQL of the tree; empty: all rows.
Predicate emit(const Node& node, const Dialect& dialect);

// Runs as gantry_match(?, column): whether the column's value satisfies the leaf.
std::shared_ptr<const Matcher> make_matcher(const Leaf& leaf);
// The same for a test of the values at `path` below what `form` makes of the column; without a path
// of the column's own value.
std::shared_ptr<const Matcher> make_matcher(const FieldForm& form,
                                            std::optional<std::string_view> path,
                                            std::shared_ptr<const match::Test> test);

}  // namespace gantry::data::where
