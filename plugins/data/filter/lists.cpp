// $in $nin $all and Parse's $containedBy.
#include <algorithm>
#include <array>
#include <utility>

#include "filter/parser.hpp"
#include "filter/refuse.hpp"

namespace gantry::data::filter {
namespace {

bool below(const Value& a, const Value& b) { return compare(a, b) < 0; }

// The listed values, prepared for lookup.
class Listed {
 public:
  explicit Listed(const Array& values) {
    for (const Value& value : values) values_.push_back(ordered_pointer(value));
    std::sort(values_.begin(), values_.end(), below);
  }
  bool holds(const Value& value) const {
    if (value.is_missing()) return holds(Value::null());
    return std::binary_search(values_.begin(), values_.end(), ordered_pointer(value), below);
  }

 private:
  Array values_;
};

class InTest : public ValueTest {
 public:
  explicit InTest(const Array& values) : listed_(values) {}
  bool holds(const Value& value, Context&) const override { return listed_.holds(value); }

 private:
  Listed listed_;
};

// An array all of whose elements are listed.
class ContainedTest : public ValueTest {
 public:
  explicit ContainedTest(const Array& values) : ValueTest(Leaf::whole), listed_(values) {}
  bool holds(const Value& value, Context& context) const override {
    if (!value.is_array()) return false;
    const Array& elements = value.elements();
    return std::all_of(elements.begin(), elements.end(), [&](const Value& element) {
      context.step();
      return listed_.holds(element);
    });
  }

 private:
  Listed listed_;
};

const Array& listed(std::string_view name, const Value& operand, Parser& parser) {
  if (!operand.is_array()) refuse_operand(name, "an array of values", operand);
  parser.list(name, operand.elements().size());
  return operand.elements();
}

const Array& literals(std::string_view name, const Value& operand, Parser& parser) {
  const Array& values = listed(name, operand, parser);
  if (std::any_of(values.begin(), values.end(), holds_operators)) {
    throw QueryError(std::string(name) + " lists values, not operators; use $or for those.");
  }
  return values;
}

TestPtr parse_in(std::string_view name, const Value& operand, const Value&, Parser& parser, Place) {
  return std::make_unique<InTest>(literals(name, operand, parser));
}

TestPtr parse_nin(std::string_view name, const Value& operand, const Value& all, Parser& parser,
                  Place place) {
  return not_test(parse_in(name, operand, all, parser, place));
}

TestPtr parse_contained(std::string_view name, const Value& operand, const Value&, Parser& parser,
                        Place) {
  return std::make_unique<ContainedTest>(literals(name, operand, parser));
}

bool is_element_match(const Value& value) {
  return value.is_object() && !value.members().empty() &&
         value.members().front().name == "$elemMatch";
}

// $all lists values, or {$elemMatch: …} and nothing else.
TestPtr parse_all(std::string_view name, const Value& operand, const Value&, Parser& parser,
                  Place place) {
  const Array& values = listed(name, operand, parser);
  if (values.empty()) return constant_test(false);
  const bool matches = is_element_match(values.front());
  Tests tests;
  for (const Value& value : values) {
    if (is_element_match(value) != matches || (!matches && holds_operators(value))) {
      throw QueryError("$all lists either values or {$elemMatch: …} throughout, nothing else.");
    }
    tests.push_back(matches ? all_test(parser.tests(value, place)) : equality_test(value));
  }
  return all_test(std::move(tests));
}

constexpr std::array kListOperators = {
    FieldOperator{"$in", parse_in},
    FieldOperator{"$nin", parse_nin},
    FieldOperator{"$all", parse_all},
    FieldOperator{"$containedBy", parse_contained},
};

}  // namespace

std::span<const FieldOperator> list_operators() { return kListOperators; }

}  // namespace gantry::data::filter
