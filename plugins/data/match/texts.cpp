// $regex with its $options.
#include <array>
#include <utility>

#include "match/parser.hpp"
#include "match/refuse.hpp"
#include "where/refusal.hpp"
#include "where/regex.hpp"

namespace gantry::data::match {
namespace {

class RegexTest : public ValueTest {
 public:
  RegexTest(std::string_view pattern, std::string_view options) : regex_(pattern, options) {}
  bool holds(const Value& value, Context&) const override {
    if (!value.is_string()) return false;
    try {
      return regex_.found_in(value.text());
    } catch (const std::runtime_error& error) {
      throw QueryError(error.what());
    }
  }

 private:
  where::Regex regex_;
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
  try {
    return std::make_unique<RegexTest>(operand.text(),
                                       options.is_string() ? options.text() : std::string_view());
  } catch (const where::Refusal& refusal) {
    throw QueryError(refusal.error);
  }
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
