// $eq $ne $gt $gte $lt $lte: compare values of the same kind only; null and missing are one kind.
#include <array>
#include <cmath>
#include <utility>

#include "filter/parser.hpp"

namespace gantry::data::filter {
namespace {

// The results of compare() for which the operator matches.
struct CompareResultMask {
  bool below, equal, above;
};

bool is_nan(const Value& value) { return value.is_real() && std::isnan(value.real()); }

class ComparisonTest : public ValueTest {
 public:
  ComparisonTest(const Value& operand, CompareResultMask wanted)
      : operand_(ordered_pointer(operand)), wanted_(wanted), nan_(is_nan(operand_)) {}

  bool holds(const Value& value, Context&) const override {
    if (operand_.is_nullish()) return wanted_.equal && value.is_nullish();
    if (type_rank(value.type()) != type_rank(operand_.type())) return false;
    if (nan_ || is_nan(value)) return wanted_.equal && nan_ && is_nan(value);
    const int order = compare(value.is_object() ? ordered_pointer(value) : value, operand_);
    if (order == 0) return wanted_.equal;
    return order < 0 ? wanted_.below : wanted_.above;
  }

 private:
  Value operand_;
  CompareResultMask wanted_;
  bool nan_;
};

template <bool below, bool equal, bool above>
TestPtr parse_comparison(std::string_view, const Value& operand, const Value&, Parser&, Place) {
  return std::make_unique<ComparisonTest>(operand, CompareResultMask{below, equal, above});
}

TestPtr parse_ne(std::string_view, const Value& operand, const Value&, Parser&, Place) {
  return not_test(equality_test(operand));
}

constexpr std::array kComparisons = {
    FieldOperator{"$eq", parse_comparison<false, true, false>},
    FieldOperator{"$ne", parse_ne},
    FieldOperator{"$gt", parse_comparison<false, false, true>},
    FieldOperator{"$gte", parse_comparison<false, true, true>},
    FieldOperator{"$lt", parse_comparison<true, false, false>},
    FieldOperator{"$lte", parse_comparison<true, true, false>},
};

}  // namespace

Value ordered_pointer(const Value& value) {
  if (!value.is_object() || value.members().size() != 3) return value;
  const Value& type = value.find("__type");
  const Value& name = value.find("className");
  const Value& id = value.find("objectId");
  const bool is_pointer =
      type.is_string() && type.text() == "Pointer" && name.is_string() && !id.is_missing();
  if (!is_pointer) return value;
  const Members& members = value.members();
  if (members[0].name == "__type" && members[1].name == "className") return value;
  return ObjectBuilder().add("__type", type).add("className", name).add("objectId", id).build();
}

TestPtr equality_test(const Value& operand) {
  return std::make_unique<ComparisonTest>(operand, CompareResultMask{false, true, false});
}

std::span<const FieldOperator> comparison_operators() { return kComparisons; }

}  // namespace gantry::data::filter
