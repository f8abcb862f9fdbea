#include "match/parser.hpp"

#include <array>
#include <utility>

#include "match/refuse.hpp"

namespace gantry::data::match {

// Counts one level of nesting during its lifetime.
class Level {
 public:
  explicit Level(Parser& parser) : parser_(parser) {
    if (++parser_.level_ > kMaxLevels) {
      throw QueryError("A filter may be at most 100 conditions deep; make it flatter.");
    }
  }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { --parser_.level_; }

 private:
  Parser& parser_;
};

bool holds_operators(const Value& object) {
  if (!object.is_object() || object.members().empty()) return false;
  const std::string& first = object.members().front().name;
  if (first.empty() || first[0] != '$') return false;
  return object.find("$ref").is_missing() || object.find("$id").is_missing();
}

NodePtr Parser::filter(const Value& object, Place place) {
  const Level level(*this);
  std::vector<NodePtr> nodes;
  nodes.reserve(object.members().size());
  for (const Member& one : object.members()) {
    if (NodePtr node = member(one, place)) nodes.push_back(std::move(node));
  }
  return and_node(std::move(nodes));
}

NodePtr Parser::member(const Member& one, Place place) {
  count_condition();
  if (!one.name.empty() && one.name[0] == '$') return root_operator(one.name, one.value, place);
  return field_node(one.name, field(one.value, place));
}

TestPtr Parser::field(const Value& operand, Place place) {
  if (holds_operators(operand)) return all_test(operators(operand, place));
  return equality_test(operand);
}

Tests Parser::operators(const Value& object, Place place) {
  const Level level(*this);
  Tests tests;
  for (const Member& one : object.members()) {
    if (TestPtr test = one_operator(one, object, place)) tests.push_back(std::move(test));
  }
  return tests;
}

TestPtr Parser::one_operator(const Member& one, const Value& all, Place place) {
  count_condition();
  const FieldOperator* const found = find_field_operator(one.name);
  if (found == nullptr) refuse_operator(one.name, false);
  return found->parse(one.name, one.value, all, *this, place);
}

void Parser::count_condition() {
  if (++operators_ > kMaxOperators) {
    throw QueryError("A filter may hold at most 1,000 conditions; use $in for lists of values.");
  }
}

void Parser::list(std::string_view op, std::size_t values) {
  listed_ += values;
  if (listed_ > kMaxListed) {
    throw QueryError(std::string(op) + ": a filter may list at most 10,000 values.");
  }
}

ConditionPtr parse_condition(const Value& filter, expr::Variables& variables) {
  if (!filter.is_object()) {
    throw QueryError("A filter is an object like {field: value}, not " + a_type(filter) + ".");
  }
  return Parser(variables).filter(filter, {});
}

}  // namespace gantry::data::match
