// $elemMatch, $size and $not.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "filter/parser.hpp"
#include "filter/refuse.hpp"
#include "filter/whole.hpp"

namespace gantry::data::filter {
namespace {

// {$elemMatch: {$gt: 1, $lt: 5}}: one element satisfies all tests.
class ElementTest : public ValueTest {
 public:
  explicit ElementTest(TestPtr test) : ValueTest(Leaf::whole), test_(std::move(test)) {}
  bool holds(const Value& value, Context& context) const override {
    if (!value.is_array()) return false;
    const Array& elements = value.elements();
    return std::any_of(elements.begin(), elements.end(), [&](const Value& element) {
      context.step();
      return test_->holds(element, context);
    });
  }

 private:
  TestPtr test_;
};

// Converts an array to an object whose names are the indexes.
Value by_place(const Array& elements) {
  Members members;
  members.reserve(elements.size());
  for (const Value& element : elements)
    members.push_back({std::to_string(members.size()), element});
  return ObjectBuilder(std::move(members)).build();
}

// {$elemMatch: {x: 1}}: one element, an object or an array, satisfies the filter.
class DocumentTest : public ValueTest {
 public:
  explicit DocumentTest(ConditionPtr condition)
      : ValueTest(Leaf::whole), condition_(std::move(condition)) {}
  bool holds(const Value& value, Context& context) const override {
    if (!value.is_array()) return false;
    const Array& elements = value.elements();
    return std::any_of(elements.begin(), elements.end(), [&](const Value& element) {
      context.step();
      return is_such(element, context);
    });
  }

 private:
  bool is_such(const Value& element, Context& context) const {
    if (element.is_object()) return condition_->matches(element, context);
    return element.is_array() && condition_->matches(by_place(element.elements()), context);
  }
  ConditionPtr condition_;
};

// $and, $or and $nor inside make it a filter on documents.
bool is_value_match(const Value& operand) {
  if (!holds_operators(operand)) return false;
  const std::string& first = operand.members().front().name;
  return first != "$and" && first != "$or" && first != "$nor" && first != "$where" &&
         first != "$expr" && first != "$comment";
}

TestPtr parse_element_match(std::string_view name, const Value& operand, const Value&,
                            Parser& parser, Place place) {
  if (!operand.is_object()) refuse_operand(name, "an object of conditions", operand);
  if (is_value_match(operand)) {
    return std::make_unique<ElementTest>(all_test(parser.tests(operand, place.element())));
  }
  return std::make_unique<DocumentTest>(parser.filter(operand, place.element()));
}

class SizeTest : public ValueTest {
 public:
  explicit SizeTest(std::uint64_t size) : ValueTest(Leaf::whole), size_(size) {}
  bool holds(const Value& value, Context&) const override {
    return value.is_array() && value.elements().size() == size_;
  }

 private:
  std::uint64_t size_;
};

constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();

TestPtr parse_size(std::string_view name, const Value& operand, const Value&, Parser&, Place) {
  if (!operand.is_number()) refuse_operand(name, "a number", operand);
  const auto size = exact_integer(operand);
  if (!size || *size < 0 || *size > kMostElements) {
    throw QueryError("$size needs a whole number from 0 to 2147483647.");
  }
  return std::make_unique<SizeTest>(static_cast<std::uint64_t>(*size));
}

constexpr std::array kElementOperators = {
    FieldOperator{"$elemMatch", parse_element_match},
    FieldOperator{"$size", parse_size},
    FieldOperator{"$not", nullptr},
};

}  // namespace

std::span<const FieldOperator> element_operators() { return kElementOperators; }

}  // namespace gantry::data::filter
