// $and and $or: evaluated from left to right, only as far as necessary.
#include <algorithm>

#include "expr/forms.hpp"
#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

class Junction final : public Expression {
 public:
  // `decisive`: the truth value of a part that determines the result.
  Junction(bool decisive, std::vector<ExpressionPtr> parts)
      : decisive_(decisive), parts_(std::move(parts)) {}
  Value evaluate(Context& context) const override {
    for (const ExpressionPtr& part : parts_) {
      if (part->evaluate(context).is_true() == decisive_) return Value::boolean(decisive_);
    }
    return Value::boolean(!decisive_);
  }
  void add_paths(std::set<std::string>& paths) const override { add_all_paths(parts_, paths); }

 private:
  bool decisive_;
  std::vector<ExpressionPtr> parts_;
};

}  // namespace

ExpressionPtr parse_junction(std::string_view name, const Value& operand, Variables& variables) {
  const bool decisive = name == "$or";
  std::vector<ExpressionPtr> parts;
  for (const Value& argument : arguments_of(operand)) {
    parts.push_back(parse_expression(argument, variables));
  }
  if (auto failing = take_failing(parts)) return failing;
  const auto is_idle = [&](const ExpressionPtr& part) {
    return part->constant() != nullptr && part->constant()->is_true() != decisive;
  };
  parts.erase(std::remove_if(parts.begin(), parts.end(), is_idle), parts.end());
  if (parts.empty()) return constant_expression(Value::boolean(!decisive));
  // A constant part may determine the result at parse time, even after parts that could fail.
  const bool is_settled =
      parts.front()->constant() != nullptr || parts.back()->constant() != nullptr;
  if (is_settled) return constant_expression(Value::boolean(decisive));
  return std::make_unique<Junction>(decisive, std::move(parts));
}

}  // namespace gantry::data::expr
