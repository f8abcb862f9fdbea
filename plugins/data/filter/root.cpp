// The operators at the root of a filter.
#include <algorithm>
#include <array>
#include <utility>

#include "filter/parser.hpp"
#include "filter/refuse.hpp"

namespace gantry::data::filter {
namespace {

using Type = Condition::Type;

std::vector<ConditionPtr> parse_list(const Member& one, Parser& parser, Place place) {
  const auto& [name, operand] = one;
  if (!operand.is_array()) refuse_operand(name, "an array of filters", operand);
  if (operand.elements().empty()) {
    throw QueryError(name + " needs at least one filter in its array.");
  }
  std::vector<ConditionPtr> filters;
  for (const Value& filter : operand.elements()) {
    if (!filter.is_object()) refuse_operand(name, "filters as objects in its array", filter);
    filters.push_back(parser.filter(filter, place));
  }
  return filters;
}

void parse_and(Condition& made, const Member& one, Parser& parser, Place place) {
  made.children = parse_list(one, parser, place);
}

void parse_or(Condition& made, const Member& one, Parser& parser, Place place) {
  made.type = Type::any;
  made.children = parse_list(one, parser, place.below());
}

void parse_nor(Condition& made, const Member& one, Parser& parser, Place place) {
  made.type = Type::none;
  made.children = parse_list(one, parser, place.below());
}

void refuse_in_element(std::string_view name, Place place) {
  if (!place.in_element) return;
  throw QueryError(std::string(name) + " stands at the top of a filter, not inside $elemMatch.");
}

void parse_expr(Condition& made, const Member& one, Parser& parser, Place place) {
  refuse_in_element(one.name, place);
  made.type = Type::expression;
  made.expression = expr::parse_expression(one.value, parser.variables());
}

void parse_constant(Condition& made, const Member& one, Parser&, Place) {
  if (!one.value.is_number() || one.value.number() != 1) {
    throw QueryError(one.name + " is written with 1: {" + one.name + ": 1}.");
  }
  made.type = Type::constant;
  made.answer = one.name == "$alwaysTrue";
}

void parse_sample_rate(Condition& made, const Member& one, Parser& parser, Place place) {
  const auto& [name, operand] = one;
  refuse_in_element(name, place);
  if (!operand.is_number()) refuse_operand(name, "a number from 0 to 1", operand);
  if (!(operand.number() >= 0 && operand.number() <= 1)) {
    throw QueryError(name + " needs a number from 0 to 1.");
  }
  Value chance = ObjectBuilder().add("$rand", ObjectBuilder().build()).build();
  Value less = ObjectBuilder().add("$lt", Value::array({std::move(chance), operand})).build();
  made.type = Type::expression;
  made.expression = expr::parse_expression(less, parser.variables());
}

// No function: the operator has no effect.
struct RootOperator {
  std::string_view name;
  void (*parse)(Condition& made, const Member& one, Parser& parser, Place place);
};
constexpr std::array kRootOperators = {
    RootOperator{"$and", parse_and},
    RootOperator{"$or", parse_or},
    RootOperator{"$nor", parse_nor},
    RootOperator{"$expr", parse_expr},
    RootOperator{"$comment", nullptr},
    RootOperator{"$alwaysTrue", parse_constant},
    RootOperator{"$alwaysFalse", parse_constant},
    RootOperator{"$sampleRate", parse_sample_rate},
};

}  // namespace

std::vector<std::string_view> operator_names() {
  std::vector<std::string_view> names;
  for (const RootOperator& known : kRootOperators) names.push_back(known.name);
  for (const auto& family : field_operators()) {
    for (const FieldOperator& known : family) names.push_back(known.name);
  }
  return names;
}

ConditionPtr Parser::root_operator(const Member& one, Place place) {
  Condition made;
  made.name = one.name;
  made.operand = one.value;
  if (one.name == "$text" && knows_store_operators(place)) {
    made.type = Type::of_store;
    return std::make_shared<const Condition>(std::move(made));
  }
  const auto known = std::find_if(kRootOperators.begin(), kRootOperators.end(),
                                  [&](const RootOperator& op) { return op.name == one.name; });
  if (known == kRootOperators.end()) refuse_operator(one.name, true);
  if (known->parse == nullptr) return nullptr;  // $comment
  known->parse(made, one, *this, place);
  return std::make_shared<const Condition>(std::move(made));
}

}  // namespace gantry::data::filter
