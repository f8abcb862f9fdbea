// expr/nodes.hpp: what expressions are made of, for the parser and for forms with rules of their
// own.
//
// An expression that is bound to fail whatever the document, 1/0 say, becomes a *failing* one. What
// needs its value fails with it; a short cut ($cond, $switch, $and, $or) may go past it. One that
// is left over when the outermost expression has been read is refused there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/expression.hpp"
#include "expr/registry.hpp"
#include "values/query_error.hpp"

namespace gantry::data::expr {

// Counts levels while it lives; refuses the 201st.
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
// The error of a failing expression, else null.
const QueryError* failure_of(const Expression& expression);

// The first failing one of `operands` (null ones are passed over), or null.
ExpressionPtr take_failing(std::vector<ExpressionPtr>& operands);
// Whether all are constant; null ones count as such.
bool all_constant(const std::vector<ExpressionPtr>& operands);
// `whole`, or its value, or its error, when nothing in it depends on a document.
ExpressionPtr fold(ExpressionPtr whole, const std::vector<ExpressionPtr>& operands);
void add_all_paths(const std::vector<ExpressionPtr>& operands, std::set<std::string>& paths);

// {$op: operand} for the two table forms.
ExpressionPtr parse_call(const Function& function, const Value& operand, Variables& variables);
ExpressionPtr parse_named_call(const NamedFunction& function, const Value& operand,
                               Variables& variables);
// "$a.b" and "$$name.b".
ExpressionPtr parse_reference(std::string_view text, Variables& variables);

// `operand` as a list of arguments: an array's elements, or the one value.
std::span<const Value> arguments_of(const Value& operand);
// Refuses a number of arguments outside [least, most].
void check_count(std::string_view name, std::size_t count, int least, int most);

// For error texts: "$flor is unknown; did you mean $floor?".
[[noreturn]] void refuse_unknown_operator(std::string_view name);

}  // namespace gantry::data::expr
