// expr/forms.hpp: the forms of logic_family(); each form with rules of its own has a file.
#pragma once

#include "expr/registry.hpp"

namespace gantry::data::expr {

ExpressionPtr parse_cond(std::string_view name, const Value& operand, Variables& variables);
ExpressionPtr parse_if_null(std::string_view name, const Value& operand, Variables& variables);
ExpressionPtr parse_switch(std::string_view name, const Value& operand, Variables& variables);
ExpressionPtr parse_let(std::string_view name, const Value& operand, Variables& variables);
// $and and $or.
ExpressionPtr parse_junction(std::string_view name, const Value& operand, Variables& variables);

// $getField, $setField, $unsetField.
ExpressionPtr parse_get_field(std::string_view name, const Value& operand, Variables& variables);
ExpressionPtr parse_set_field(std::string_view name, const Value& operand, Variables& variables);

}  // namespace gantry::data::expr
