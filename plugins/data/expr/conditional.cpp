// $cond, $ifNull and $switch: only the branch that is taken is evaluated.
#include "expr/forms.hpp"
#include "expr/named_operands.hpp"
#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

class Cond final : public Expression {
 public:
  Cond(ExpressionPtr condition, ExpressionPtr yes, ExpressionPtr no)
      : condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  Value evaluate(Context& context) const override {
    return (condition_->evaluate(context).is_true() ? yes_ : no_)->evaluate(context);
  }
  void add_paths(std::set<std::string>& paths) const override {
    for (const ExpressionPtr* part : {&condition_, &yes_, &no_}) (*part)->add_paths(paths);
  }

 private:
  ExpressionPtr condition_, yes_, no_;
};

std::array<Value, 3> cond_operands(std::string_view name, const Value& operand) {
  static constexpr std::array<Parameter, 3> kParameters = {
      Parameter{"if", true}, Parameter{"then", true}, Parameter{"else", true}};
  if (operand.is_object()) return named_operands(name, operand, kParameters);
  const auto arguments = arguments_of(operand);
  check_count(name, arguments.size(), 3, 3);
  return {arguments[0], arguments[1], arguments[2]};
}

class IfNull final : public Expression {
 public:
  explicit IfNull(std::vector<ExpressionPtr> operands) : operands_(std::move(operands)) {}
  Value evaluate(Context& context) const override {
    for (std::size_t i = 0; i + 1 < operands_.size(); ++i) {
      Value value = operands_[i]->evaluate(context);
      if (!value.is_nullish()) return value;
    }
    return operands_.back()->evaluate(context);
  }
  void add_paths(std::set<std::string>& paths) const override { add_all_paths(operands_, paths); }

 private:
  std::vector<ExpressionPtr> operands_;
};

struct Branch {
  ExpressionPtr condition, result;
};

class Switch final : public Expression {
 public:
  Switch(std::vector<Branch> branches, ExpressionPtr otherwise)
      : branches_(std::move(branches)), otherwise_(std::move(otherwise)) {}
  Value evaluate(Context& context) const override {
    for (const Branch& branch : branches_) {
      if (branch.condition->evaluate(context).is_true()) return branch.result->evaluate(context);
    }
    if (otherwise_) return otherwise_->evaluate(context);
    throw QueryError("$switch found no branch for a document; give it a default.");
  }
  void add_paths(std::set<std::string>& paths) const override {
    for (const Branch& branch : branches_) {
      branch.condition->add_paths(paths);
      branch.result->add_paths(paths);
    }
    if (otherwise_) otherwise_->add_paths(paths);
  }

 private:
  std::vector<Branch> branches_;
  ExpressionPtr otherwise_;
};

Branch parse_branch(const Value& operand, Variables& variables) {
  static constexpr std::array<Parameter, 2> kParameters = {Parameter{"case", true},
                                                           Parameter{"then", true}};
  const auto parts = named_operands("A branch of $switch", operand, kParameters);
  return {parse_expression(parts[0], variables), parse_expression(parts[1], variables)};
}

// Simplifies a switch: branches with a constant false condition are dropped; a branch with a
// constant true condition becomes the default and ends the list. Dropped branches may contain
// expressions that always fail; the default may not.
ExpressionPtr decide(std::vector<Branch> branches, ExpressionPtr otherwise) {
  if (otherwise && failure_of(*otherwise) != nullptr) return otherwise;
  std::vector<Branch> open;
  for (Branch& branch : branches) {
    if (failure_of(*branch.condition) != nullptr) return std::move(branch.condition);
    const Value* constant = branch.condition->constant();
    if (constant != nullptr && !constant->is_true()) continue;
    if (failure_of(*branch.result) != nullptr) return std::move(branch.result);
    if (constant != nullptr) {
      otherwise = std::move(branch.result);
      break;
    }
    open.push_back(std::move(branch));
  }
  if (open.empty() && otherwise) return otherwise;
  return std::make_unique<Switch>(std::move(open), std::move(otherwise));
}

}  // namespace

ExpressionPtr parse_cond(std::string_view name, const Value& operand, Variables& variables) {
  const auto parts = cond_operands(name, operand);
  std::vector<ExpressionPtr> all;
  for (const Value& part : parts) all.push_back(parse_expression(part, variables));
  if (const Value* constant = all[0]->constant())
    return std::move(all[constant->is_true() ? 1 : 2]);
  if (auto failing = take_failing(all)) return failing;
  return std::make_unique<Cond>(std::move(all[0]), std::move(all[1]), std::move(all[2]));
}

ExpressionPtr parse_if_null(std::string_view name, const Value& operand, Variables& variables) {
  const auto arguments = arguments_of(operand);
  check_count(name, arguments.size(), 2, kAny);
  std::vector<ExpressionPtr> operands;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    ExpressionPtr part = parse_expression(arguments[i], variables);
    const Value* constant = part->constant();
    const bool is_last = i + 1 == arguments.size();
    if (constant != nullptr && constant->is_nullish() && !is_last) continue;
    operands.push_back(std::move(part));
  }
  if (auto failing = take_failing(operands)) return failing;
  const bool is_decided = operands.front()->constant() != nullptr;
  if (is_decided || operands.size() == 1) return std::move(operands.front());
  return std::make_unique<IfNull>(std::move(operands));
}

ExpressionPtr parse_switch(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array<Parameter, 2> kParameters = {Parameter{"branches", true},
                                                           Parameter{"default", false}};
  const auto parts = named_operands(name, operand, kParameters);
  if (!parts[0].is_array()) refuse_type(name, "an array of branches", parts[0]);
  if (parts[0].elements().empty()) throw QueryError("$switch needs at least one branch.");
  std::vector<Branch> branches;
  for (const Value& branch : parts[0].elements()) {
    branches.push_back(parse_branch(branch, variables));
  }
  ExpressionPtr otherwise;
  if (!parts[1].is_missing()) otherwise = parse_expression(parts[1], variables);
  return decide(std::move(branches), std::move(otherwise));
}

}  // namespace gantry::data::expr
