// Random expressions, the same in every run: each returns a value or throws QueryError.
#include <algorithm>

#include "evaluation.hpp"
#include "random_expressions.hpp"

namespace gantry::data::expr::random_test {
namespace {

// Evaluations with more loop steps than this are skipped.
constexpr unsigned kPatience = 1'000'000;

std::string outcome(const Value& expression, const Value& document) {
  try {
    Variables variables;
    const ExpressionPtr parsed = parse_expression(expression, variables);
    const Spending::Trial trial(kPatience, Budget::kBytes);
    Context context;
    context.root = context.current = document;
    context.slots.resize(variables.slots());
    return text_of(parsed->evaluate(context));
  } catch (const QueryError&) {
    return "refused";
  } catch (const Spending::TrialEnded&) {
    return "refused";
  }
}

bool is_by_chance(const Value& expression) {
  return text_of(expression).find("$rand") != std::string::npos;
}

TEST(RandomExpressions, AreAnsweredOrRefusedAndTwiceTheSame) {
  RandomExpressions random(4711);
  int answered = 0;
  for (int i = 0; i < 6'000; ++i) {
    const Value expression = random.expression();
    ObjectBuilder document;
    for (const char* name : {"a", "b", "c"}) document.add(name, random.value());
    const Value built = document.build();
    const std::string first = outcome(expression, built);
    answered += first != "refused";
    if (is_by_chance(expression)) continue;
    ASSERT_EQ(first, outcome(expression, built)) << text_of(expression);
  }
  EXPECT_GT(answered, 600);
}

// Constant folding changes no result: the same arguments as fields of a document give the same.
TEST(RandomExpressions, GiveTheSameForConstantsAndForFields) {
  RandomExpressions random(815);
  for (const std::string_view name : operator_names()) {
    const Operator op = find_operator(name);
    if (op.function == nullptr || op.function->chance) continue;
    for (int i = 0; i < 80; ++i) {
      const int most = std::min(op.function->most, 3);
      const auto count = op.function->least + random.below(most - op.function->least + 1);
      Array constants;
      Array fields;
      ObjectBuilder document;
      for (std::size_t k = 0; k < count; ++k) {
        const std::string field(1, static_cast<char>('a' + k));
        const Value value = random.value();
        constants.push_back(RandomExpressions::literal(value));
        fields.push_back(Value::string("$" + field));
        document.add(field, value);
      }
      ObjectBuilder folded;
      ObjectBuilder computed;
      folded.add(std::string(name), Value::array(std::move(constants)));
      computed.add(std::string(name), Value::array(std::move(fields)));
      const Value built = document.build();
      ASSERT_EQ(outcome(folded.build(), built), outcome(computed.build(), built))
          << name << " " << text_of(built);
    }
  }
}

}  // namespace
}  // namespace gantry::data::expr::random_test
