// filter/condition.hpp: MongoDB's query language over values: a filter as a tree of conditions.
//
// parse_condition() parses a filter once; the tree is evaluated for each document ($match, find on
// document classes) or bound to the columns of a class (filter/columns/, plan/). Immutable, so any
// thread may evaluate it; a context is one thread's. Errors are thrown as QueryError.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/expression.hpp"
#include "filter/path.hpp"
#include "values/pattern.hpp"

namespace gantry::data::filter {

class Test;
struct Condition;
using ConditionPtr = std::shared_ptr<const Condition>;

// One operator behind a field's name: {$gt: 5}. A value to equal has no name.
struct Operation {
  std::string name;
  Value operand;
  std::shared_ptr<const Test> test;        // null: only the store can evaluate it
  std::shared_ptr<const Pattern> pattern;  // of $regex
  std::vector<Operation> negated;          // of $not
};

// One member of a filter, {name: operand}; or the members of an object together, without a name.
struct Condition {
  enum class Type : std::uint8_t { all, any, none, field, expression, constant, of_store };

  Type type = Type::all;
  std::string name;
  Value operand;
  std::vector<ConditionPtr> children;  // of all, any, none
  std::optional<Path> path;            // of field
  std::vector<Operation> operations;   // of field: all of them hold
  expr::ExpressionPtr expression;      // of expression
  bool answer = false;                 // of constant

  // Evaluates the condition for the document `context.root`. Conditions of the store do not pass.
  bool passes(expr::Context& context) const { return matches(context.root, context); }
  // The same for an element of an array.
  bool matches(const Value& document, expr::Context& context) const;
  // Adds the paths that the condition reads; "" means the whole document.
  void add_paths(std::set<std::string>& paths) const;
};

// `variables` are those for $expr. Limits: 100 levels of conditions, 1,000 operators, 10,000 listed
// values.
ConditionPtr parse_condition(const Value& filter, expr::Variables& variables);

// Whether `object` contains operators: its first name begins with '$' and it is not a DBRef.
bool holds_operators(const Value& object);

// The names of all operators, for fields and for filters.
std::vector<std::string_view> operator_names();

}  // namespace gantry::data::filter
