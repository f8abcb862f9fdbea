// Conditions that SQL cannot express, evaluated by match/ on the stored value.
#include <utility>

#include "match/parser.hpp"
#include "values/matcher.hpp"
#include "where/node.hpp"

namespace gantry::data::where {
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

std::shared_ptr<const match::Test> parsed(std::string_view op, Value operand) {
  expr::Variables variables;
  Value condition = ObjectBuilder().add(std::string(op), std::move(operand)).build();
  return match::Parser(variables).field(condition, {});
}

struct TestOf {
  using Shared = std::shared_ptr<const match::Test>;
  Shared operator()(const Compare& test) const { return parsed(name_of(test.order), test.value); }
  Shared operator()(const OneOf& test) const { return parsed("$in", test.list); }
  Shared operator()(const Present&) const { return parsed("$exists", Value::boolean(true)); }
  Shared operator()(const Found& test) const { return match::pattern_test(test.pattern); }
  Shared operator()(const Tested& test) const { return test.test; }
};

std::optional<std::string_view> path_of(const Leaf& leaf) {
  const auto* const tested = std::get_if<Tested>(&leaf.test);
  if (tested == nullptr || !tested->path) return std::nullopt;
  return *tested->path;
}

class ColumnMatcher final : public Matcher {
 public:
  // `null`: the value of NULL, unless it is JSON.
  ColumnMatcher(const FieldForm& form, std::optional<std::string_view> path,
                std::shared_ptr<const match::Test> test, Value null)
      : test_(std::move(test)),
        path_(match::Path::of_value(path)),
        form_(path ? form.at_path(*path) : form),
        null_(form.is(FieldForm::Type::json) ? Value() : std::move(null)) {}

  bool match(const StoredValue& stored) const override {
    expr::Context context;
    const Value value = form_.value(stored);
    return test_->passes(value.is_missing() && stored.is_null() ? null_ : value, path_, context);
  }

 private:
  std::shared_ptr<const match::Test> test_;
  match::Path path_;
  FieldForm form_;
  Value null_;
};

// Reads the text where it lies.
class PatternMatcher final : public Matcher {
 public:
  explicit PatternMatcher(std::shared_ptr<const Pattern> pattern) : pattern_(std::move(pattern)) {}
  bool match(const StoredValue& stored) const override {
    return stored.is_text() && pattern_->found_in(stored.bytes);
  }

 private:
  std::shared_ptr<const Pattern> pattern_;
};

}  // namespace

std::shared_ptr<const Matcher> make_matcher(const Leaf& leaf) {
  if (const auto* found = std::get_if<Found>(&leaf.test)) {
    return std::make_shared<PatternMatcher>(found->pattern);
  }
  return std::make_shared<ColumnMatcher>(leaf.column->form, path_of(leaf),
                                         std::visit(TestOf(), leaf.test), Value::null());
}

std::shared_ptr<const Matcher> make_matcher(const FieldForm& form,
                                            std::optional<std::string_view> path,
                                            std::shared_ptr<const match::Test> test) {
  return std::make_shared<ColumnMatcher>(form, path, std::move(test), Value());
}

}  // namespace gantry::data::where
