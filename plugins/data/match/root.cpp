// The operators at the root of a filter.
#include <array>
#include <utility>

#include "match/parser.hpp"
#include "match/refuse.hpp"

namespace gantry::data::match {
namespace {

std::vector<NodePtr> parse_list(std::string_view name, const Value& operand, Parser& parser,
                                Place place) {
  if (!operand.is_array()) refuse_operand(name, "an array of filters", operand);
  if (operand.elements().empty()) {
    throw QueryError(std::string(name) + " needs at least one filter in its array.");
  }
  std::vector<NodePtr> nodes;
  for (const Value& one : operand.elements()) {
    if (!one.is_object()) refuse_operand(name, "filters as objects in its array", one);
    nodes.push_back(parser.filter(one, place));
  }
  return nodes;
}

NodePtr parse_and(std::string_view name, const Value& operand, Parser& parser, Place place) {
  return and_node(parse_list(name, operand, parser, place));
}

NodePtr parse_or(std::string_view name, const Value& operand, Parser& parser, Place place) {
  return or_node(parse_list(name, operand, parser, place.below()));
}

NodePtr parse_nor(std::string_view name, const Value& operand, Parser& parser, Place place) {
  return not_node(or_node(parse_list(name, operand, parser, place.below())));
}

void refuse_in_element(std::string_view name, Place place) {
  if (!place.in_element) return;
  throw QueryError(std::string(name) + " stands at the top of a filter, not inside $elemMatch.");
}

NodePtr parse_expr(std::string_view name, const Value& operand, Parser& parser, Place place) {
  refuse_in_element(name, place);
  return expression_node(expr::parse_expression(operand, parser.variables()));
}

NodePtr parse_constant(std::string_view name, const Value& operand, Parser&, Place) {
  if (!operand.is_number() || operand.number() != 1) {
    throw QueryError(std::string(name) + " is written with 1: {" + std::string(name) + ": 1}.");
  }
  return constant_node(name == "$alwaysTrue");
}

NodePtr parse_sample_rate(std::string_view name, const Value& operand, Parser& parser,
                          Place place) {
  refuse_in_element(name, place);
  if (!operand.is_number()) refuse_operand(name, "a number from 0 to 1", operand);
  if (!(operand.number() >= 0 && operand.number() <= 1)) {
    throw QueryError(std::string(name) + " needs a number from 0 to 1.");
  }
  Value chance = ObjectBuilder().add("$rand", ObjectBuilder().build()).build();
  Value less = ObjectBuilder().add("$lt", Value::array({std::move(chance), operand})).build();
  return expression_node(expr::parse_expression(less, parser.variables()));
}

NodePtr parse_comment(std::string_view, const Value&, Parser&, Place) { return nullptr; }

struct RootOperator {
  std::string_view name;
  NodePtr (*parse)(std::string_view, const Value&, Parser&, Place);
};
constexpr std::array kOperators = {
    RootOperator{"$and", parse_and},
    RootOperator{"$or", parse_or},
    RootOperator{"$nor", parse_nor},
    RootOperator{"$expr", parse_expr},
    RootOperator{"$comment", parse_comment},
    RootOperator{"$alwaysTrue", parse_constant},
    RootOperator{"$alwaysFalse", parse_constant},
    RootOperator{"$sampleRate", parse_sample_rate},
};

}  // namespace

std::vector<std::string_view> operator_names() {
  std::vector<std::string_view> names;
  for (const RootOperator& known : kOperators) names.push_back(known.name);
  for (const auto& family : field_operators()) {
    for (const FieldOperator& known : family) names.push_back(known.name);
  }
  return names;
}

NodePtr Parser::root_operator(std::string_view name, const Value& operand, Place place) {
  for (const RootOperator& known : kOperators) {
    if (known.name == name) return known.parse(name, operand, *this, place);
  }
  refuse_operator(name, true);
}

}  // namespace gantry::data::match
