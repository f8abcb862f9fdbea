// match/test.hpp: tests on a field's value, {a: {$gt: 1}}, and the conditions built from them.
// Internal to match/.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "expr/expression.hpp"
#include "match/condition.hpp"
#include "match/path.hpp"
#include "values/value.hpp"

namespace gantry::data::match {

using expr::Context;

// One test, applied to a document and a path, or to one value in $elemMatch.
class Test {
 public:
  virtual ~Test() = default;
  virtual bool passes(const Value& document, const Path& path, Context& context) const = 0;
  virtual bool holds(const Value& value, Context& context) const = 0;
};
using TestPtr = std::unique_ptr<const Test>;
using Tests = std::vector<TestPtr>;

// A test that one of the values at the path must satisfy.
class ValueTest : public Test {
 public:
  explicit ValueTest(Leaf leaf = Leaf::elements_too) : leaf_(leaf) {}
  bool passes(const Value& document, const Path& path, Context& context) const final {
    return path.any(document, leaf_,
                    [&](const Value& value) { return this->holds(value, context); });
  }

 private:
  Leaf leaf_;
};

// A condition on a document: the root, or an element in $elemMatch.
class Node : public Condition {
 public:
  bool passes(Context& context) const final { return matches(context.root, context); }
  virtual bool matches(const Value& document, Context& context) const = 0;
};
using NodePtr = std::unique_ptr<const Node>;

TestPtr not_test(Tests tests);       // not all of them pass
TestPtr all_test(Tests tests);       // all pass; true for none
TestPtr constant_test(bool answer);  // always or never
TestPtr not_test(TestPtr test);

NodePtr field_node(std::string_view path, TestPtr test);
NodePtr and_node(std::vector<NodePtr> nodes);
NodePtr or_node(std::vector<NodePtr> nodes);
NodePtr not_node(NodePtr node);
NodePtr constant_node(bool answer);
NodePtr expression_node(expr::ExpressionPtr expression);  // $expr

}  // namespace gantry::data::match
