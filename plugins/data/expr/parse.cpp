// parse_expression(): parses any expression.
#include <unordered_set>

#include "expr/nodes.hpp"
#include "expr/path.hpp"

namespace gantry::data::expr {
namespace {

class ArrayExpression final : public Expression {
 public:
  explicit ArrayExpression(std::vector<ExpressionPtr> elements) : elements_(std::move(elements)) {}
  Value evaluate(Context& context) const override {
    Array values;
    values.reserve(elements_.size());
    for (const ExpressionPtr& element : elements_) {
      Value value = element->evaluate(context);
      values.push_back(value.is_missing() ? Value::null() : std::move(value));
    }
    return Value::array(std::move(values));
  }
  void add_paths(std::set<std::string>& paths) const override { add_all_paths(elements_, paths); }
  const std::vector<ExpressionPtr>& operands() const { return elements_; }

 private:
  std::vector<ExpressionPtr> elements_;
};

class ObjectExpression final : public Expression {
 public:
  ObjectExpression(std::vector<std::string> names, std::vector<ExpressionPtr> values)
      : names_(std::move(names)), values_(std::move(values)) {}
  Value evaluate(Context& context) const override {
    ObjectBuilder object;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      object.add(names_[i], values_[i]->evaluate(context));
    }
    return object.build();
  }
  void add_paths(std::set<std::string>& paths) const override { add_all_paths(values_, paths); }
  const std::vector<ExpressionPtr>& operands() const { return values_; }

 private:
  std::vector<std::string> names_;
  std::vector<ExpressionPtr> values_;
};

template <class Node, class... Parts>
ExpressionPtr make_folded(Parts... parts) {
  auto node = std::make_unique<const Node>(std::move(parts)...);
  const auto& operands = node->operands();
  return fold(std::move(node), operands);
}

ExpressionPtr parse_array(const Array& array, Variables& variables) {
  std::vector<ExpressionPtr> elements;
  elements.reserve(array.size());
  for (const Value& element : array) elements.push_back(parse_expression(element, variables));
  if (auto failing = take_failing(elements)) return failing;
  return make_folded<ArrayExpression>(std::move(elements));
}

ExpressionPtr parse_operator(const Member& member, Variables& variables) {
  const Operator op = find_operator(member.name);
  if (op.function != nullptr) return parse_call(*op.function, member.value, variables);
  if (op.named != nullptr) return parse_named_call(*op.named, member.value, variables);
  if (op.form != nullptr) return op.form->parse(member.name, member.value, variables);
  refuse_unknown_operator(member.name);
}

bool is_operator(const Member& member) { return !member.name.empty() && member.name[0] == '$'; }

void check_names(const Members& members) {
  std::unordered_set<std::string_view> seen;
  for (const Member& member : members) {
    if (is_operator(member)) {
      throw QueryError("An operator stands alone in its object, but " + member.name +
                       " stands beside other names.");
    }
    check_field_name(member.name);
    if (seen.insert(member.name).second) continue;
    throw QueryError("An object of expressions names \"" + member.name + "\" twice.");
  }
}

ExpressionPtr parse_object(const Members& members, Variables& variables) {
  if (members.size() == 1 && is_operator(members[0])) return parse_operator(members[0], variables);
  check_names(members);
  std::vector<std::string> names;
  std::vector<ExpressionPtr> values;
  for (const Member& member : members) {
    names.push_back(member.name);
    values.push_back(parse_expression(member.value, variables));
  }
  if (auto failing = take_failing(values)) return failing;
  return make_folded<ObjectExpression>(std::move(names), std::move(values));
}

ExpressionPtr parse_any(const Value& json, Variables& variables) {
  if (json.is_object()) return parse_object(json.members(), variables);
  if (json.is_array()) return parse_array(json.elements(), variables);
  const bool is_reference = json.is_string() && json.text().substr(0, 1) == "$";
  return is_reference ? parse_reference(json.text(), variables) : constant_expression(json);
}

}  // namespace

ExpressionPtr parse_expression(const Value& json, Variables& variables) {
  const Nesting nesting(variables);
  ExpressionPtr expression = parse_any(json, variables);
  if (nesting.is_outermost()) {
    if (const QueryError* error = failure_of(*expression)) throw *error;
  }
  return expression;
}

}  // namespace gantry::data::expr
