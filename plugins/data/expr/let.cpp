// $let: variables that are visible in one expression.
#include "expr/forms.hpp"
#include "expr/named_operands.hpp"
#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

class Let final : public Expression {
 public:
  Let(std::vector<std::size_t> slots, std::vector<ExpressionPtr> values, ExpressionPtr in)
      : slots_(std::move(slots)), values_(std::move(values)), in_(std::move(in)) {}
  Value evaluate(Context& context) const override {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Value value = values_[i]->evaluate(context);
      context.slots[slots_[i]] = std::move(value);
    }
    return in_->evaluate(context);
  }
  void add_paths(std::set<std::string>& paths) const override {
    add_all_paths(values_, paths);
    in_->add_paths(paths);
  }

 private:
  std::vector<std::size_t> slots_;
  std::vector<ExpressionPtr> values_;
  ExpressionPtr in_;
};

std::vector<ExpressionPtr> parse_values(const Members& vars, Variables& variables) {
  std::vector<ExpressionPtr> values;
  for (const Member& var : vars) {
    check_variable_name(var.name, "$let");
    values.push_back(parse_expression(var.value, variables));
  }
  return values;
}

}  // namespace

ExpressionPtr parse_let(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array<Parameter, 2> kParameters = {Parameter{"vars", true},
                                                           Parameter{"in", true}};
  const auto parts = named_operands(name, operand, kParameters);
  if (!parts[0].is_object()) refuse_type(name, "an object of variables in vars", parts[0]);
  const Members& vars = parts[0].members();
  std::vector<ExpressionPtr> values = parse_values(vars, variables);  // they cannot read each other
  std::vector<std::size_t> slots;
  for (const Member& var : vars) slots.push_back(variables.define(var.name));
  ExpressionPtr in = parse_expression(parts[1], variables);
  for (const Member& var : vars) variables.take_back(var.name);
  if (auto failing = take_failing(values)) return failing;
  if (in->constant() != nullptr || failure_of(*in) != nullptr) return in;
  return std::make_unique<Let>(std::move(slots), std::move(values), std::move(in));
}

}  // namespace gantry::data::expr
