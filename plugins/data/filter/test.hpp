// filter/test.hpp: tests on a field's value, {a: {$gt: 1}}.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "expr/expression.hpp"
#include "filter/path.hpp"
#include "values/value.hpp"

namespace gantry::data::filter {

using expr::Context;

// One test, applied to a document and a path, or to one value in $elemMatch.
class Test {
 public:
  virtual ~Test() = default;
  virtual bool passes(const Value& document, const Path& path, Context& context) const = 0;
  virtual bool holds(const Value& value, Context& context) const = 0;
};
using TestPtr = std::shared_ptr<const Test>;
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

TestPtr not_test(Tests tests);       // not all of them pass
TestPtr all_test(Tests tests);       // all pass; true for none
TestPtr constant_test(bool answer);  // always or never
TestPtr not_test(TestPtr test);

}  // namespace gantry::data::filter
