// where/node.hpp: a parsed where, as a tree.
//
// A Source owns everything that the tree refers to: keep the Source as long as the Node.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "match/bits.hpp"
#include "sql/fragment.hpp"
#include "where/column.hpp"
#include "where/regex.hpp"
#include "where/values.hpp"

namespace gantry::data::where {

struct Source {
  rapidjson::MemoryPoolAllocator<> pool;
  Json where;                       // our copy of the caller's where, in the pool
  std::deque<std::string> decoded;  // texts that are not stored literally in it

  std::string_view keep(std::string text) { return decoded.emplace_back(std::move(text)); }
};

using SourcePtr = std::shared_ptr<Source>;

// Sorted by compare(), without duplicates; null counts as an element.
struct ValueSet {
  std::vector<View> values;

  explicit ValueSet(std::vector<View> list);
  bool contains(const View& view) const;
  bool has_null() const { return !values.empty() && values.front().is_nothing(); }
};

struct Node;

enum class Order : std::uint8_t { eq, gt, gte, lt, lte };

struct Compare {
  Order order;
  View value;
};
struct OneOf {
  ValueSet set;
};
struct Exists {};
struct Found {
  std::shared_ptr<const Regex> regex;
};
struct Modulo {
  std::int64_t divisor, remainder;
};
struct HasBits {
  std::shared_ptr<const match::Bits> bits;
};
struct HasType {
  std::uint32_t types;  // bits of TypeBit
};
struct HasSize {
  std::uint64_t size;
};
struct Element {
  std::shared_ptr<const Node> node;
  bool of_objects;  // {$elemMatch: {field: …}}: only elements that are objects or arrays match
};
struct Contained {
  ValueSet set;
};

using Test = std::variant<Compare, OneOf, Exists, Found, Modulo, HasBits, HasType, HasSize, Element,
                          Contained>;

struct TypeBit {
  static constexpr std::uint32_t kDouble = 1, kString = 2, kObject = 4, kArray = 8, kBytes = 16,
                                 kBoolean = 32, kDate = 64, kNull = 128, kInt = 256, kLong = 512;
};

// A test of the values at `path` below the column. Inside $elemMatch there is no column; the path
// begins at the element, and an empty path is the element itself.
struct Leaf {
  std::shared_ptr<const Column> column;
  std::vector<std::string> path;
  Test test;
};

struct Node {
  enum class Type : std::uint8_t { all, any, none, leaf, sql };
  Type type = Type::all;       // `all` without children is true, `any` without children is false
  std::vector<Node> children;  // children of all, any, none
  std::variant<std::monostate, Leaf, Fragment> content;  // Fragment: a finished predicate

  static Node group(Type type, std::vector<Node> children) {
    return {type, std::move(children), {}};
  }
  static Node of(Leaf leaf) { return {Type::leaf, {}, std::move(leaf)}; }
  static Node of(Fragment sql) { return {Type::sql, {}, std::move(sql)}; }
  static Node negated(Node child);

  const Leaf& leaf() const { return std::get<Leaf>(content); }
  const Fragment& sql() const { return std::get<Fragment>(content); }
};

}  // namespace gantry::data::where
