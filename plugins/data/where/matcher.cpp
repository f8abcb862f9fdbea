// Conditions that SQL cannot express, evaluated by match/ on the stored value.
#include <utility>

#include "match/parser.hpp"
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

// The value is the member of a document with one name, where paths begin.
constexpr std::string_view kRoot = "v";

std::string path_of(const Leaf& leaf) {
  const auto* const tested = std::get_if<Tested>(&leaf.test);
  std::string path(kRoot);
  if (tested != nullptr && tested->path) path += "." + *tested->path;
  return path;
}

class ColumnMatcher final : public Matcher {
 public:
  explicit ColumnMatcher(const Leaf& leaf)
      : test_(std::visit(TestOf(), leaf.test)),
        path_(path_of(leaf)),
        reading_(reading_of(*leaf.column)),
        is_below_(path_.text().size() > kRoot.size()) {}

  bool match(const StoredValue& stored) const override {
    expr::Context context;
    Value value = read_stored(stored, reading_);
    if (!is_below_ && !value.is_array()) return test_->holds(value, context);
    ObjectBuilder document;
    document.set(kRoot, std::move(value));
    return test_->passes(document.build(), path_, context);
  }

 private:
  std::shared_ptr<const match::Test> test_;
  match::Path path_;
  Reading reading_;
  bool is_below_;
};

}  // namespace

std::shared_ptr<const Matcher> make_matcher(const Leaf& leaf) {
  return std::make_shared<ColumnMatcher>(leaf);
}

}  // namespace gantry::data::where
