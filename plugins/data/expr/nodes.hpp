// expr/nodes.hpp: building blocks of expressions, for the parser and for forms with their own
// rules.
//
// An expression that fails for every document, such as 1/0, becomes a *failing* one. An expression
// that needs its value becomes failing too; a short-circuit form ($cond, $switch, $and, $or) may
// discard it. If the outermost expression is failing after parsing, its error is thrown there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "errors/query_error.hpp"
#include "expr/expression.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {

// Counts a level of nesting during its lifetime; refuses the 201st.
class Nesting {
 public:
  explicit Nesting(Variables& variables);
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --variables_.depth_; }
  bool is_outermost() const { return variables_.depth_ == 1; }

 private:
  Variables& variables_;
};

ExpressionPtr failing_expression(QueryError error);
// The error of a failing expression; otherwise null.
const QueryError* failure_of(const Expression& expression);

// The first failing one of `operands` (null ones are skipped), or null.
ExpressionPtr take_failing(std::vector<ExpressionPtr>& operands);
// Whether all are constant; null ones count as constant.
bool all_constant(const std::vector<ExpressionPtr>& operands);
// If all operands are constant: the value of `whole`, or its error as a failing expression.
// Otherwise `whole`.
ExpressionPtr fold(ExpressionPtr whole, const std::vector<ExpressionPtr>& operands);
void add_all_paths(const std::vector<ExpressionPtr>& operands, std::set<std::string>& paths);

// {$op: operand} for the two table forms.
ExpressionPtr parse_call(const Function& function, const Value& operand, Variables& variables);
ExpressionPtr parse_named_call(const NamedFunction& function, const Value& operand,
                               Variables& variables);
// Parses "$a.b" and "$$name.b".
ExpressionPtr parse_reference(std::string_view text, Variables& variables);

// `operand` as a list of arguments: an array's elements, or the single value.
std::span<const Value> arguments_of(const Value& operand);
// Refuses a number of arguments outside [least, most].
void check_count(std::string_view name, std::size_t count, int least, int most);

// Throws "$flor is unknown; did you mean $floor?".
[[noreturn]] void refuse_unknown_operator(std::string_view name);

}  // namespace gantry::data::expr
