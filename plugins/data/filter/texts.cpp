// $regex with its $options.
#include <array>
#include <utility>

#include "filter/parser.hpp"
#include "filter/refuse.hpp"

namespace gantry::data::filter {
namespace {

class RegexTest : public ValueTest {
 public:
  explicit RegexTest(std::shared_ptr<const Pattern> pattern) : pattern_(std::move(pattern)) {}
  bool holds(const Value& value, Context&) const override {
    return value.is_string() && pattern_->found_in(value.text());
  }

 private:
  std::shared_ptr<const Pattern> pattern_;
};

TestPtr parse_options(std::string_view, const Value&, const Value& all, Parser&, Place) {
  if (all.find("$regex").is_missing()) {
    throw QueryError("$options stands beside $regex: {$regex: \"^a\", $options: \"i\"}.");
  }
  return nullptr;
}

constexpr std::array kTextOperators = {
    FieldOperator{"$regex", nullptr},
    FieldOperator{"$options", parse_options},
};

}  // namespace

std::shared_ptr<const Pattern> read_pattern(const Value& operand, const Value& all) {
  if (!operand.is_string()) refuse_operand("$regex", "a pattern as a string", operand);
  const Value& options = all.find("$options");
  if (!options.is_missing() && !options.is_string()) {
    refuse_operand("$options", "letters in a string", options);
  }
  if (operand.text().find('\0') != std::string_view::npos) {
    throw QueryError("$regex takes no pattern with a zero byte; write \\x00.");
  }
  return std::make_shared<const Pattern>(operand.text(), options.is_string() ? options.text() : "");
}

TestPtr pattern_test(std::shared_ptr<const Pattern> pattern) {
  return std::make_unique<RegexTest>(std::move(pattern));
}

std::span<const FieldOperator> text_operators() { return kTextOperators; }

}  // namespace gantry::data::filter
