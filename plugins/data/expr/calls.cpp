// Operators that are functions of evaluated values.
#include <algorithm>
#include <array>
#include <iterator>

#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

class Call final : public Expression {
 public:
  Call(const Function& function, std::vector<ExpressionPtr> operands)
      : function_(function), operands_(std::move(operands)) {}

  Value evaluate(Context& context) const override {
    if (operands_.size() > kFew) return call(evaluated_from(0, context), context);
    std::array<Value, kFew> values;
    for (std::size_t i = 0; i < operands_.size(); ++i) values[i] = operands_[i]->evaluate(context);
    return call({values.data(), operands_.size()}, context);
  }
  Value evaluate_taking(std::size_t slot, Context& context) const override {
    const bool takes =
        function_.onto != nullptr && !operands_.empty() && operands_[0]->is_variable(slot);
    if (!takes) return evaluate(context);
    Value first = std::move(context.slots[slot]);
    const Array rest = evaluated_from(1, context);
    return in_name_of(function_.name,
                      [&] { return function_.onto(std::move(first), rest, context); });
  }
  void add_paths(std::set<std::string>& paths) const override { add_all_paths(operands_, paths); }
  const std::vector<ExpressionPtr>& operands() const { return operands_; }

 private:
  static constexpr std::size_t kFew = 3;

  Array evaluated_from(std::size_t first, Context& context) const {
    Array values;
    values.reserve(operands_.size() - first);
    for (std::size_t i = first; i < operands_.size(); ++i) {
      values.push_back(operands_[i]->evaluate(context));
    }
    return values;
  }

  Value call(Arguments values, Context& context) const {
    return in_name_of(function_.name, [&] { return function_.call(values, context); });
  }

  const Function& function_;
  std::vector<ExpressionPtr> operands_;
};

class NamedCall final : public Expression {
 public:
  NamedCall(const NamedFunction& function, std::vector<ExpressionPtr> operands)
      : function_(function),
        operands_(std::move(operands)),
        given_(std::make_unique<bool[]>(operands_.size())) {
    for (std::size_t i = 0; i < operands_.size(); ++i) given_[i] = operands_[i] != nullptr;
  }

  Value evaluate(Context& context) const override {
    Array values(operands_.size());
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (operands_[i]) values[i] = operands_[i]->evaluate(context);
    }
    const NamedArguments arguments{values, {given_.get(), operands_.size()}};
    return in_name_of(function_.name, [&] { return function_.call(arguments, context); });
  }
  void add_paths(std::set<std::string>& paths) const override { add_all_paths(operands_, paths); }
  const std::vector<ExpressionPtr>& operands() const { return operands_; }

 private:
  const NamedFunction& function_;
  std::vector<ExpressionPtr> operands_;
  std::unique_ptr<bool[]> given_;
};

std::string list_of(std::span<const Parameter> parameters) {
  std::string text;
  for (const Parameter& parameter : parameters) {
    text.append(text.empty() ? "" : ", ").append(parameter.name);
  }
  return text;
}

std::size_t parameter_index(const NamedFunction& function, std::string_view name) {
  const auto& parameters = function.parameters;
  const auto it = std::find_if(parameters.begin(), parameters.end(),
                               [&](const Parameter& parameter) { return parameter.name == name; });
  if (it != parameters.end()) return static_cast<std::size_t>(it - parameters.begin());
  throw QueryError(std::string(function.name) + " has no argument \"" + std::string(name) +
                   "\"; it has: " + list_of(parameters) + ".");
}

void check_required(const NamedFunction& function, const std::vector<ExpressionPtr>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] || !function.parameters[i].required) continue;
    throw QueryError(std::string(function.name) + " needs its argument \"" +
                     std::string(function.parameters[i].name) + "\".");
  }
}

template <class Node, class Described>
ExpressionPtr finish(const Described& function, std::vector<ExpressionPtr> operands, bool chance) {
  if (auto failing = take_failing(operands)) return failing;
  auto node = std::make_unique<const Node>(function, std::move(operands));
  if (chance) return node;
  const auto& kept = node->operands();
  return fold(std::move(node), kept);
}

// MongoDB does this before it runs an expression, so that a missing operand decides before a single
// constant of a wrong type, but not before two of them.
void join_constants(const Function& function, std::vector<ExpressionPtr>& operands) {
  const auto constants = std::stable_partition(
      operands.begin(), operands.end(),
      [](const ExpressionPtr& operand) { return operand->constant() == nullptr; });
  if (constants == operands.begin() || std::distance(constants, operands.end()) < 2) return;
  std::vector<ExpressionPtr> joined(std::make_move_iterator(constants),
                                    std::make_move_iterator(operands.end()));
  operands.erase(constants, operands.end());
  operands.push_back(finish<Call>(function, std::move(joined), false));
}

}  // namespace

ExpressionPtr call_expression(const Function& function, std::vector<ExpressionPtr> operands) {
  if (function.commutes) join_constants(function, operands);
  return finish<Call>(function, std::move(operands), function.chance);
}

ExpressionPtr parse_call(const Function& function, const Value& operand, Variables& variables) {
  const auto arguments = arguments_of(operand);
  check_count(function.name, arguments.size(), function.least, function.most);
  std::vector<ExpressionPtr> operands;
  operands.reserve(arguments.size());
  for (const Value& argument : arguments) {
    operands.push_back(parse_expression(argument, variables));
  }
  return call_expression(function, std::move(operands));
}

ExpressionPtr parse_named_call(const NamedFunction& function, const Value& operand,
                               Variables& variables) {
  if (!operand.is_object()) {
    refuse_type(function.name, "an object of arguments (" + list_of(function.parameters) + ")",
                operand);
  }
  std::vector<ExpressionPtr> operands(function.parameters.size());
  for (const Member& member : operand.members()) {
    ExpressionPtr& place = operands[parameter_index(function, member.name)];
    if (place) {
      throw QueryError(std::string(function.name) + " got its argument \"" + member.name +
                       "\" twice.");
    }
    place = parse_expression(member.value, variables);
  }
  check_required(function, operands);
  return finish<NamedCall>(function, std::move(operands), false);
}

}  // namespace gantry::data::expr
