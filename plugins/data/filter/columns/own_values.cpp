// Conditions on a column's own value.
#include <algorithm>

#include "filter/columns/binder.hpp"
#include "filter/columns/operand.hpp"
#include "filter/columns/refusal.hpp"
#include "view/object_id.hpp"

namespace gantry::data::columns {
namespace {

[[noreturn]] void refuse_for(std::string_view op, const Subject& subject, std::string_view why) {
  refuse("Operator " + std::string(op) + " does not apply to field '" + subject.name +
         "': " + std::string(why) + ".");
}

bool is_pointer_column(const Column& column) {
  return column.field.kind == Kind::pointer && !column.is_id;
}

void add_operands(const Subject& subject, std::string_view op, const Value& value,
                  const Context& context, Array& values) {
  for (Value& operand : to_operands(value, *subject.column, op, context.scope)) {
    values.push_back(std::move(operand));
  }
}

// Matches rows with one of these composite ids, whose parts are columns.
Node composite_test(const Array& ids, const Context& context) {
  std::vector<Node> tests;
  for (const Value& id : ids) {
    if (id.is_nullish()) continue;  // no key has this form
    auto parts = parse_object_id(context.cls, id.text());
    if (!parts) refuse(parts.message());
    tests.push_back(Node::of(Predicate{id_condition(*parts), {}}));
  }
  return Node::group(Node::Type::any, std::move(tests));
}

void check_orderable(const Subject& subject, std::string_view op) {
  if (is_pointer_column(*subject.column)) {
    refuse_for(op, subject, "pointers have no order; use $eq, $in or $inQuery");
  }
  if (subject.column->is_composite()) {
    refuse_for(op, subject, "its ids are made of several columns; compare those");
  }
}

Node tested(const Subject& subject, const filter::Operation& one) {
  return Node::of(Leaf{subject.column, Tested{one.test}});
}

}  // namespace

Node equals_any(const Subject& subject, Array values, const Context& context) {
  if (subject.column->is_composite()) return composite_test(values, context);
  if (values.size() != 1) return Node::of(Leaf{subject.column, OneOf(std::move(values))});
  return Node::of(Leaf{subject.column, Compare{Order::eq, std::move(values.front())}});
}

Node compare_test(const Subject& subject, std::string_view op, Order order, const Value& operand,
                  const Context& context) {
  if (order != Order::eq) check_orderable(subject, op);
  if (filter::holds_operators(operand)) {
    refuse("Operator " + std::string(op) + " compares with a value, not with another operator.");
  }
  Array values;
  add_operands(subject, op, operand, context, values);
  if (order == Order::eq) return equals_any(subject, std::move(values), context);
  return Node::of(Leaf{subject.column, Compare{order, std::move(values.front())}});
}

Node in_test(const Subject& subject, const filter::Operation& one, const Context& context) {
  Array values;
  for (const Value& value : one.operand.elements()) {
    add_operands(subject, one.name, value, context, values);
  }
  if (values.empty()) return Node::constant(false);
  return equals_any(subject, std::move(values), context);
}

Node all_test(const Subject& subject, const filter::Operation& one, const Context& context) {
  std::vector<Node> tests;
  for (const Value& value : one.operand.elements()) {
    tests.push_back(compare_test(subject, "$all", Order::eq, value, context));
  }
  if (tests.empty()) return Node::constant(false);
  return Node::group(Node::Type::all, std::move(tests));
}

Node regex_test(const Subject& subject, const filter::Operation& one) {
  const Column& column = *subject.column;
  const Kind kind = column.stored_kind();
  const bool holds_text = kind == Kind::string || kind == Kind::any;
  if (is_pointer_column(column) || column.is_composite() || !holds_text) {
    refuse_for("$regex", subject, "it holds no text");
  }
  return Node::of(Leaf{subject.column, Found{one.pattern}});
}

Node number_test(const Subject& subject, const filter::Operation& one) {
  const Kind kind = subject.column->field.kind;
  const bool is_mod = one.name == "$mod";
  const bool has_numbers = kind == Kind::integer || kind == Kind::number || kind == Kind::any;
  const bool fits = has_numbers || (kind == Kind::bytes && !is_mod);
  if (!fits || subject.column->is_id) {
    refuse_for(one.name, subject,
               is_mod ? "it holds no numbers" : "it holds neither numbers nor binary data");
  }
  return tested(subject, one);
}

// Ids are strings and pointers are objects, whatever their stored type.
Node type_test(const Subject& subject, const filter::Operation& one) {
  const Column& column = *subject.column;
  if (!column.is_id && column.field.kind != Kind::pointer) return tested(subject, one);
  expr::Context nothing;
  const bool value = one.test->holds(
      column.is_id ? Value::string("") : ObjectBuilder().add("objectId", Value::null()).build(),
      nothing);
  const bool null = one.test->holds(Value::null(), nothing);
  if (value == null) return Node::constant(value);
  Node present = Node::of(Leaf{subject.column, Present{}});
  return value ? present : Node::negated(std::move(present));
}

}  // namespace gantry::data::columns
