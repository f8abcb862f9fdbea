// Conditions that SQL cannot express, evaluated by match/ on the stored value.
#include <utility>

#include "match/parser.hpp"
#include "sql/matcher.hpp"
#include "values/utf8.hpp"
#include "where/node.hpp"

namespace gantry::data::where {
namespace {

using match::TestPtr;

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
  explicit ColumnMatcher(const Leaf& leaf) : ColumnMatcher(leaf, path_of(leaf)) {}

  bool match(const StoredValue& stored) const override {
    expr::Context context;
    Value value = form_.value(stored);
    // NULL is null for $type.
    if (stored.is_null() && !form_.is(FieldForm::Type::json)) value = Value::null();
    return test_->passes(value, path_, context);
  }

 private:
  ColumnMatcher(const Leaf& leaf, std::optional<std::string_view> path)
      : test_(std::visit(TestOf(), leaf.test)),
        path_(match::Path::of_value(path)),
        form_(path ? leaf.column->form.at_path(*path) : leaf.column->form) {}

  std::shared_ptr<const match::Test> test_;
  match::Path path_;
  FieldForm form_;
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

class Utf8Matcher final : public Matcher {
 public:
  bool match(const StoredValue& stored) const override {
    return stored.is_text() && is_utf8(stored.bytes);
  }
};

}  // namespace

std::shared_ptr<const Matcher> utf8_matcher() { return std::make_shared<Utf8Matcher>(); }

std::shared_ptr<const Matcher> make_matcher(const Leaf& leaf) {
  if (const auto* found = std::get_if<Found>(&leaf.test)) {
    return std::make_shared<PatternMatcher>(found->pattern);
  }
  return std::make_shared<ColumnMatcher>(leaf);
}

}  // namespace gantry::data::where
