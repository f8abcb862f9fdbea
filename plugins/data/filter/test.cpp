#include "filter/test.hpp"

#include <algorithm>
#include <utility>

namespace gantry::data::filter {
namespace {

class AllTest : public Test {
 public:
  explicit AllTest(Tests tests) : tests_(std::move(tests)) {}
  bool passes(const Value& document, const Path& path, Context& context) const override {
    return std::all_of(tests_.begin(), tests_.end(),
                       [&](const TestPtr& test) { return test->passes(document, path, context); });
  }
  bool holds(const Value& value, Context& context) const override {
    return std::all_of(tests_.begin(), tests_.end(),
                       [&](const TestPtr& test) { return test->holds(value, context); });
  }

 private:
  Tests tests_;
};

class NotTest : public Test {
 public:
  explicit NotTest(TestPtr test) : test_(std::move(test)) {}
  bool passes(const Value& document, const Path& path, Context& context) const override {
    return !test_->passes(document, path, context);
  }
  bool holds(const Value& value, Context& context) const override {
    return !test_->holds(value, context);
  }

 private:
  TestPtr test_;
};

class ConstantTest : public Test {
 public:
  explicit ConstantTest(bool answer) : answer_(answer) {}
  bool passes(const Value&, const Path&, Context&) const override { return answer_; }
  bool holds(const Value&, Context&) const override { return answer_; }

 private:
  bool answer_;
};

}  // namespace

TestPtr all_test(Tests tests) {
  if (tests.size() == 1) return std::move(tests[0]);
  return std::make_unique<AllTest>(std::move(tests));
}

TestPtr not_test(TestPtr test) { return std::make_unique<NotTest>(std::move(test)); }

TestPtr not_test(Tests tests) { return not_test(all_test(std::move(tests))); }

TestPtr constant_test(bool answer) { return std::make_unique<ConstantTest>(answer); }

}  // namespace gantry::data::filter
