// $eq $ne $gt $gte $lt $lte: compare values of the same kind only; null and missing are one kind.
#include <array>
#include <cmath>
#include <utility>

#include "match/parser.hpp"

namespace gantry::data::match {
namespace {

// The results of compare() for which the operator matches.
struct CompareResultMask {
  bool below, equal, above;
};

bool is_nan(const Value& value) { return value.is_real() && std::isnan(value.real()); }

class ComparisonTest : public ValueTest {
 public:
  ComparisonTest(Value operand, CompareResultMask wanted)
      : operand_(std::move(operand)), wanted_(wanted), nan_(is_nan(operand_)) {}

  bool holds(const Value& value, Context&) const override {
    if (operand_.is_nullish()) return wanted_.equal && value.is_nullish();
    if (type_rank(value.type()) != type_rank(operand_.type())) return false;
    if (nan_ || is_nan(value)) return wanted_.equal && nan_ && is_nan(value);
    const int order = compare(value, operand_);
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

constexpr std::array kOperators = {
    FieldOperator{"$eq", parse_comparison<false, true, false>},
    FieldOperator{"$ne", parse_ne},
    FieldOperator{"$gt", parse_comparison<false, false, true>},
    FieldOperator{"$gte", parse_comparison<false, true, true>},
    FieldOperator{"$lt", parse_comparison<true, false, false>},
    FieldOperator{"$lte", parse_comparison<true, true, false>},
};

}  // namespace

TestPtr equality_test(Value operand) {
  return std::make_unique<ComparisonTest>(std::move(operand),
                                          CompareResultMask{false, true, false});
}

std::span<const FieldOperator> comparison_operators() { return kOperators; }

}  // namespace gantry::data::match
