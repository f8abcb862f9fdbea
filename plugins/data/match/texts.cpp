// $regex with its $options.
#include <array>
#include <utility>

#include "match/parser.hpp"
#include "match/refuse.hpp"
#include "values/pattern.hpp"

namespace gantry::data::match {
namespace {

class RegexTest : public ValueTest {
 public:
  RegexTest(std::string_view pattern, std::string_view options) : pattern_(pattern, options) {}
  bool holds(const Value& value, Context&) const override {
    return value.is_string() && pattern_.found_in(value.text());
  }

 private:
  Pattern pattern_;
};

TestPtr parse_regex(std::string_view name, const Value& operand, const Value& all, Parser&, Place) {
  if (!operand.is_string()) refuse_operand(name, "a pattern as a string", operand);
  const Value& options = all.find("$options");
  if (!options.is_missing() && !options.is_string()) {
    refuse_operand("$options", "letters in a string", options);
  }
  if (operand.text().find('\0') != std::string_view::npos) {
    throw QueryError("$regex takes no pattern with a zero byte; write \\x00.");
  }
  return std::make_unique<RegexTest>(operand.text(),
                                     options.is_string() ? options.text() : std::string_view());
}

TestPtr parse_options(std::string_view, const Value&, const Value& all, Parser&, Place) {
  if (all.find("$regex").is_missing()) {
    throw QueryError("$options stands beside $regex: {$regex: \"^a\", $options: \"i\"}.");
  }
  return nullptr;
}

constexpr std::array kOperators = {
    FieldOperator{"$regex", parse_regex},
    FieldOperator{"$options", parse_options},
};

}  // namespace

std::span<const FieldOperator> text_operators() { return kOperators; }

}  // namespace gantry::data::match
