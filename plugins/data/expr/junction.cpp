// $and and $or: from left to right, no further than needed.
#include "expr/forms.hpp"
#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

class Junction final : public Expression {
 public:
  // `decisive`: the truth of a part that settles the whole.
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
  bool is_settled = false;  // by a constant with nothing open before it
  for (const Value& argument : arguments_of(operand)) {
    ExpressionPtr part = parse_expression(argument, variables);  // reads what is never reached, too
    const Value* constant = part->constant();
    if (is_settled || (constant != nullptr && constant->is_true() != decisive)) continue;
    is_settled = constant != nullptr && parts.empty();
    parts.push_back(std::move(part));
  }
  if (is_settled) return constant_expression(Value::boolean(decisive));
  if (parts.empty()) return constant_expression(Value::boolean(!decisive));
  if (failure_of(*parts.front()) != nullptr) return std::move(parts.front());
  return std::make_unique<Junction>(decisive, std::move(parts));
}

}  // namespace gantry::data::expr
