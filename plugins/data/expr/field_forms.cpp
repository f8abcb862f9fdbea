// $getField, $setField and $unsetField: access to fields whose names cannot be written as paths.
#include "expr/forms.hpp"
#include "expr/named_operands.hpp"
#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

class GetField final : public Expression {
 public:
  GetField(ExpressionPtr field, ExpressionPtr input)
      : field_(std::move(field)), input_(std::move(input)) {}
  Value evaluate(Context& context) const override {
    const Value field = field_->evaluate(context);
    if (!field.is_string()) refuse_type("$getField", "a string as field", field);
    const Value input = input_->evaluate(context);
    return input.is(Value::Type::null) ? input : input.find(field.text());
  }
  void add_paths(std::set<std::string>& paths) const override {
    field_->add_paths(paths);
    input_->add_paths(paths);
  }

 private:
  ExpressionPtr field_, input_;
};

class SetField final : public Expression {
 public:
  SetField(std::string_view op, std::string field, ExpressionPtr input, ExpressionPtr value)
      : op_(op), field_(std::move(field)), input_(std::move(input)), value_(std::move(value)) {}
  Value evaluate(Context& context) const override {
    const Value input = input_->evaluate(context);
    Value value = value_->evaluate(context);
    if (input.is_nullish()) return Value::null();
    if (!input.is_object()) refuse_type(op_, "an object as input", input);
    return in_name_of(op_, [&] {
      ObjectBuilder object(input.members());
      if (value.is_missing()) return object.remove(field_).build();
      return object.set(field_, std::move(value)).build();
    });
  }
  void add_paths(std::set<std::string>& paths) const override {
    input_->add_paths(paths);
    value_->add_paths(paths);
  }

 private:
  std::string_view op_;
  std::string field_;
  ExpressionPtr input_, value_;
};

bool is_shorthand(const Value& operand) {
  if (!operand.is_object()) return true;
  const auto& members = operand.members();
  return !members.empty() && members[0].name.substr(0, 1) == "$";
}

// The name must be constant: a text or {$literal: text}.
const Value& written_name(const Value& operand) {
  const bool is_wrapped = operand.is_object() && operand.members().size() == 1;
  if (!is_wrapped) return operand;
  const Member& member = operand.members()[0];
  return member.name == "$literal" || member.name == "$const" ? member.value : operand;
}

std::string constant_name(std::string_view op, const Value& operand) {
  if (operand.is_string() && operand.text().substr(0, 1) == "$") {
    throw QueryError(std::string(op) +
                     " takes a name as field, not a path; a name that begins with $ is written "
                     "{$literal: …}.");
  }
  const Value& name = written_name(operand);
  if (!name.is_string()) refuse_type(op, "a name that is written out as field", name);
  if (name.text().find('\0') != std::string_view::npos) {
    throw QueryError(std::string(op) + " takes no field with a NUL byte in its name.");
  }
  return std::string(name.text());
}

template <class Node, class... Parts>
ExpressionPtr unless_failing(std::vector<ExpressionPtr> operands, Parts... parts) {
  if (auto failing = take_failing(operands)) return failing;
  const bool is_constant = all_constant(operands);
  auto node = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::make_unique<const Node>(std::move(parts)..., std::move(operands[I])...);
  }
  (std::make_index_sequence<2>());
  return is_constant ? fold(std::move(node), {}) : std::move(node);
}

}  // namespace

ExpressionPtr parse_get_field(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array<Parameter, 2> kParameters = {Parameter{"field", true},
                                                           Parameter{"input", false}};
  std::array<Value, 2> parts = {operand, Value()};
  if (!is_shorthand(operand)) parts = named_operands(name, operand, kParameters);
  if (parts[1].is_missing()) parts[1] = Value::string("$$CURRENT");
  std::vector<ExpressionPtr> operands;
  for (const Value& part : parts) operands.push_back(parse_expression(part, variables));
  if (const Value* field = operands[0]->constant(); field != nullptr && !field->is_string()) {
    refuse_type(name, "a string as field", *field);
  }
  return unless_failing<GetField>(std::move(operands));
}

ExpressionPtr parse_set_field(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array<Parameter, 3> kSet = {
      Parameter{"field", true}, Parameter{"input", true}, Parameter{"value", true}};
  static constexpr std::array<Parameter, 2> kUnset = {Parameter{"field", true},
                                                      Parameter{"input", true}};
  const bool sets = name == "$setField";
  std::array<Value, 3> parts;
  if (sets) {
    parts = named_operands(name, operand, kSet);
  } else {
    const auto given = named_operands(name, operand, kUnset);
    parts = {given[0], given[1], Value::string("$$REMOVE")};
  }
  std::string field = constant_name(name, parts[0]);
  std::vector<ExpressionPtr> operands;
  operands.push_back(parse_expression(parts[1], variables));
  operands.push_back(parse_expression(parts[2], variables));
  const std::string_view op = sets ? "$setField" : "$unsetField";
  return unless_failing<SetField>(std::move(operands), op, std::move(field));
}

}  // namespace gantry::data::expr
