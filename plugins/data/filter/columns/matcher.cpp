// Conditions that SQL cannot express, evaluated by filter/ on the stored value.
#include <utility>

#include "filter/columns/node.hpp"
#include "filter/parser.hpp"
#include "values/matcher.hpp"
#include "values/utf8.hpp"

namespace gantry::data::columns {
namespace {

std::string_view name_of(Order order) {
  switch (order) {
    case Order::eq:
      return "$eq";
    case Order::gt:
      return "$gt";
    case Order::gte:
      return "$gte";
    case Order::lt:
      return "$lt";
    case Order::lte:
      break;
  }
  return "$lte";
}

filter::TestPtr parsed(std::string_view op, Value operand) {
  expr::Variables variables;
  const Value condition = ObjectBuilder().add(std::string(op), std::move(operand)).build();
  return std::move(filter::Parser(variables).tests(condition, {}).front());
}

struct TestOf {
  filter::TestPtr operator()(const Compare& test) const {
    return parsed(name_of(test.order), test.value);
  }
  filter::TestPtr operator()(const OneOf& test) const { return parsed("$in", test.list); }
  filter::TestPtr operator()(const Present&) const {
    return parsed("$exists", Value::boolean(true));
  }
  filter::TestPtr operator()(const Found& test) const { return filter::pattern_test(test.pattern); }
  filter::TestPtr operator()(const Tested& test) const { return test.test; }
};

class ColumnMatcher final : public Matcher {
 public:
  ColumnMatcher(const Column& column, filter::TestPtr test)
      : test_(std::move(test)),
        path_(filter::Path::of_value(column.path)),
        form_(column.path ? column.whole.at_path(*column.path) : column.whole),
        null_(form_.is(FieldForm::Type::json) ? Value() : column.null) {}

  bool match(const StoredValue& stored) const override {
    expr::Context context;
    const Value value = form_.value(stored);
    return test_->passes(value.is_missing() && stored.is_null() ? null_ : value, path_, context);
  }

 private:
  filter::TestPtr test_;
  filter::Path path_;
  FieldForm form_;
  Value null_;
};

// Reads the text where it lies. Text that is not UTF-8 is binary data, which is no string.
class PatternMatcher final : public Matcher {
 public:
  PatternMatcher(std::shared_ptr<const Pattern> pattern, FieldForm form)
      : pattern_(std::move(pattern)), form_(std::move(form)) {}
  bool match(const StoredValue& stored) const override {
    if (!stored.is_text()) return false;
    std::string room;
    const std::string_view seen = form_.seen(stored.bytes, room);
    return pattern_->found_in(seen) && is_utf8(seen);
  }

 private:
  std::shared_ptr<const Pattern> pattern_;
  FieldForm form_;
};

}  // namespace

std::shared_ptr<const filter::Test> test_of(const Leaf& leaf) {
  return std::visit(TestOf(), leaf.test);
}

std::shared_ptr<const Matcher> make_matcher(const Column& column,
                                            std::shared_ptr<const filter::Test> test) {
  return std::make_shared<ColumnMatcher>(column, std::move(test));
}

std::shared_ptr<const Matcher> make_matcher(std::shared_ptr<const Pattern> pattern,
                                            FieldForm form) {
  return std::make_shared<PatternMatcher>(std::move(pattern), std::move(form));
}

}  // namespace gantry::data::columns
