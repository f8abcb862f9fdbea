#include "expr/nodes.hpp"

#include <algorithm>

namespace gantry::data::expr {
namespace {

constexpr int kDeepest = 200;

class Constant final : public Expression {
 public:
  explicit Constant(Value value) : value_(std::move(value)) {}
  Value evaluate(Context&) const override { return value_; }
  const Value* constant() const override { return &value_; }
  void add_paths(std::set<std::string>&) const override {}

 private:
  Value value_;
};

class Failing final : public Expression {
 public:
  explicit Failing(QueryError error) : error_(std::move(error)) {}
  Value evaluate(Context&) const override { throw error_; }
  void add_paths(std::set<std::string>&) const override {}
  const QueryError& error() const { return error_; }

 private:
  QueryError error_;
};

// Expensive or large expressions are not folded: parsing a pipeline stays quick and small, and
// running it can be cancelled.
constexpr unsigned kMostSteps = 1'000;
constexpr std::size_t kMostBytes = 256u << 10;

}  // namespace

Nesting::Nesting(Variables& variables) : variables_(variables) {
  if (variables_.depth_ >= kDeepest) {
    throw QueryError("The expression nests more than 200 levels; split it into several stages.");
  }
  ++variables_.depth_;
}

ExpressionPtr constant_expression(Value value) {
  return std::make_unique<Constant>(std::move(value));
}

ExpressionPtr failing_expression(QueryError error) {
  return std::make_unique<Failing>(std::move(error));
}

const QueryError* failure_of(const Expression& expression) {
  const auto* failing = dynamic_cast<const Failing*>(&expression);
  return failing == nullptr ? nullptr : &failing->error();
}

ExpressionPtr take_failing(std::vector<ExpressionPtr>& operands) {
  for (ExpressionPtr& operand : operands) {
    if (operand && failure_of(*operand) != nullptr) return std::move(operand);
  }
  return nullptr;
}

bool all_constant(const std::vector<ExpressionPtr>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const ExpressionPtr& operand) {
    return !operand || operand->constant() != nullptr;
  });
}

ExpressionPtr fold(ExpressionPtr whole, const std::vector<ExpressionPtr>& operands) {
  if (!all_constant(operands)) return whole;
  const Spending::Trial trial(kMostSteps, kMostBytes);
  Context nothing;
  try {
    return constant_expression(whole->evaluate(nothing));
  } catch (const MemorySpent&) {
    return whole;
  } catch (const TimeSpent&) {
    throw;
  } catch (const QueryError& error) {
    return failing_expression(error);
  } catch (const Spending::TrialEnded&) {
    return whole;
  }
}

void add_all_paths(const std::vector<ExpressionPtr>& operands, std::set<std::string>& paths) {
  for (const ExpressionPtr& operand : operands) {
    if (operand) operand->add_paths(paths);
  }
}

std::span<const Value> arguments_of(const Value& operand) {
  if (operand.is_array()) return operand.elements();
  return {&operand, 1};
}

}  // namespace gantry::data::expr
