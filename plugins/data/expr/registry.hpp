// expr/registry.hpp: the operators of expressions; each has one of three forms.
//
// A family's file (arithmetic.cpp, strings.cpp, …) lists its operators in tables; registry.cpp
// names the tables. Most operators are functions of values that are already evaluated.
#pragma once

#include <span>
#include <string_view>

#include "expr/expression.hpp"

namespace gantry::data::expr {

inline constexpr int kAny = 1'000'000;

using Arguments = std::span<const Value>;

// {$op: [a, b]}, or {$op: a} if one argument is allowed. Arguments may be missing or null; the
// operator defines the result. `chance`: the result differs between runs (never folded). `onto`:
// computes the same result in place of an unshared first argument, in time linear in the others;
// null: not available.
struct Function {
  std::string_view name;
  int least, most;
  Value (*call)(Arguments arguments, Context& context);
  bool chance = false;
  Value (*onto)(Value first, Arguments rest, Context& context) = nullptr;
  bool commutes = false;  // constants become one operand, the last
};

// {$op: {name: a, …}}. `call` gets the arguments in the order of the parameters. An absent argument
// is missing; `given` distinguishes it from one that evaluates to missing.
struct Parameter {
  std::string_view name;
  bool required = false;
};
struct NamedArguments {
  Arguments values;
  std::span<const bool> given;
  const Value& operator[](std::size_t i) const { return values[i]; }
};
struct NamedFunction {
  std::string_view name;
  std::span<const Parameter> parameters;
  Value (*call)(const NamedArguments& arguments, Context& context);
};

// All others: variables, short-circuit evaluation, operands that are not expressions.
struct Form {
  std::string_view name;
  ExpressionPtr (*parse)(std::string_view name, const Value& operand, Variables& variables);
};

struct Family {
  std::span<const Function> functions;
  std::span<const NamedFunction> named;
  std::span<const Form> forms;
};

// One family per file.
Family arithmetic_family();  // arithmetic.cpp, with trigonometry.cpp's below
Family trigonometry_family();
Family accumulator_family();  // $sum, $avg, $min, $max, …, $median as expressions
Family logic_family();        // comparison, boolean, $cond, $ifNull, $switch, $literal, $let, $rand
Family string_family();
Family regex_family();
Family type_family();  // $convert and its short forms, $type, $isNumber
Family object_family();
Family array_family();
Family set_family();
Family date_family();       // parts, $dateAdd, $dateDiff, …
Family date_text_family();  // $dateToString, $dateFromString, $dateFromParts, $dateToParts

// One of the pointers is set; none for an unknown name.
struct Operator {
  const Function* function = nullptr;
  const NamedFunction* named = nullptr;
  const Form* form = nullptr;
};
Operator find_operator(std::string_view name);
// Sorted.
std::span<const std::string_view> operator_names();

// For forms: an expression whose operands are evaluated first; folded if all are constant.
ExpressionPtr call_expression(const Function& function, std::vector<ExpressionPtr> operands);
ExpressionPtr constant_expression(Value value);

// Throws "$add needs numbers, not a string": names the operator and the type, never the value.
[[noreturn]] void refuse_type(std::string_view op, std::string_view wanted, const Value& got);

}  // namespace gantry::data::expr
