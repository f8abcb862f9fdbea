#include "filter/columns/binder.hpp"

#include <algorithm>
#include <iterator>

#include "errors/query_error.hpp"
#include "filter/bits.hpp"
#include "filter/columns/operand.hpp"
#include "filter/columns/refusal.hpp"
#include "filter/columns/text_search.hpp"
#include "filter/columns/whole_row.hpp"
#include "filter/refuse.hpp"
#include "policy/internal.hpp"
#include "values/utf8.hpp"

namespace gantry::data::columns {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// {"a": …} is a value; one with operators between its fields is refused.
void refuse_mixture(std::string_view name, const Value& value) {
  if (!value.is_object()) return;
  const auto is_operator = [](const Member& one) { return one.name.starts_with('$'); };
  const auto& members = value.members();
  if (members.empty() || is_operator(members.front())) return;
  if (std::none_of(members.begin(), members.end(), is_operator)) return;
  refuse("The condition on '" + std::string(name) +
         "' mixes operators and fields; write one or the other.");
}

void check_presence(const Value& operand) {
  if (operand.is_boolean() || operand.is_number()) return;
  refuse("$exists needs true or false, not " + std::string(described(operand)) + ".");
}

void check_depth(int depth) {
  if (depth > kMaxDepth) {
    refuse("The where is nested more than " + std::to_string(kMaxDepth) + " deep. Flatten it.");
  }
}

[[noreturn]] void refuse_path(std::string_view name, const Column& column) {
  std::string message = "Nothing lies below field '" + column.field.name + "' (" +
                        std::string(column.is_id ? "an id" : kind_name(column.field.kind)) +
                        "), so '" + clipped(name) + "' names nothing.";
  if (column.field.kind == Kind::pointer && !column.is_id) {
    message += " Ask about the object pointed to with $inQuery: {\"" + column.field.name +
               "\": {\"$inQuery\": {\"className\": …, \"where\": {…}}}}.";
  }
  refuse(std::move(message));
}

// The conditions that a redacted pointer can be asked: null or not.
bool asks_for_null(std::string_view op, const Value& operand) {
  if (op == "$exists" || op == "$not") return true;
  if (is_one_of(op, {"equality", "$eq", "$ne"})) return operand.is_nullish();
  return is_one_of(op, {"$in", "$nin"}) && operand.is_array() &&
         std::all_of(operand.elements().begin(), operand.elements().end(),
                     [](const Value& value) { return value.is_nullish(); });
}

void check_redacted(const Subject& subject, std::string_view op, const Value& operand) {
  if (subject.column->is_redacted && !asks_for_null(op, operand)) refuse_redacted(subject.name);
}

[[noreturn]] void refuse_geo(std::string_view op) {
  refuse("Geo operator " + std::string(op) +
         " needs a point column, and this class has none that the operator applies to.");
}

bool is_among(std::span<const filter::FieldOperator> operators, std::string_view op) {
  return std::any_of(operators.begin(), operators.end(),
                     [op](const filter::FieldOperator& known) { return known.name == op; });
}

// A field that $elemMatch names and that is internal; null: there is none. `is_filter`: names that
// do not begin with '$' are fields. Literals may hold such names: the values that they are compared
// with do not.
const std::string* internal_field_in(const Value& condition, bool is_filter) {
  if (condition.is_array()) {
    for (const Value& one : condition.elements()) {
      if (const auto* name = internal_field_in(one, is_filter)) return name;
    }
  }
  if (!condition.is_object() || !(is_filter || filter::holds_operators(condition))) return nullptr;
  for (const Member& one : condition.members()) {
    const bool is_field = !one.name.starts_with('$');
    if (is_field && names_internal(one.name)) return &one.name;
    const bool has_fields =
        one.name == "$elemMatch" || (is_filter && is_one_of(one.name, {"$and", "$or", "$nor"}));
    if (const auto* name = internal_field_in(one.value, has_fields)) return name;
  }
  return nullptr;
}

}  // namespace

Node Binder::read(const Value& where, int depth) const {
  check_depth(depth);
  if (!where.is_object()) {
    refuse("A where is an object of conditions, not " + std::string(described(where)) + ".");
  }
  return bind(context_.parser.filter(where, {}), depth);
}

Node Binder::bind(const filter::ConditionPtr& condition, int depth) const {
  using Type = filter::Condition::Type;
  check_depth(depth);
  switch (condition->type) {
    case Type::field:
      return field(*condition, depth);
    case Type::expression:
    case Type::constant:
      return Node::of(Predicate{{}, whole_row_sql(condition, context_)});
    case Type::of_store:
      return text_found(nullptr, condition->operand, context_);
    case Type::all:
    case Type::any:
    case Type::none:
      break;
  }
  return group(*condition, depth);
}

Node Binder::group(const filter::Condition& condition, int depth) const {
  using Type = filter::Condition::Type;
  const bool is_list = !condition.name.empty();  // not the members of one object
  if (is_list && condition.type != Type::all) refuse_text_in(condition.name, condition.operand);
  std::vector<Node> conditions, of_rows;
  for (const filter::ConditionPtr& child : condition.children) {
    const bool is_of_row = child->type == Type::expression || child->type == Type::constant;
    auto& nodes = is_of_row && condition.type == Type::all ? of_rows : conditions;
    nodes.push_back(bind(child, is_list ? depth + 1 : depth));
  }
  // Last: they are the most expensive, and may fail on rows that the other conditions exclude.
  std::move(of_rows.begin(), of_rows.end(), std::back_inserter(conditions));
  const auto type = condition.type == Type::all   ? Node::Type::all
                    : condition.type == Type::any ? Node::Type::any
                                                  : Node::Type::none;
  return Node::group(type, std::move(conditions));
}

// The objects that a pointer path's condition selects, as $inQuery would.
Node Binder::in_objects(const ColumnPtr& pointer, const ClassView& target, const Value& where,
                        int depth) const {
  return in_class(target, {pointer->field.name, pointer}, "$inQuery", {target.name, &where}, depth);
}

// "customer_id.country": the condition on the object that the pointer leads to. A condition that a
// missing field satisfies also holds where there is no such object.
std::optional<Node> Binder::through_pointer(const filter::Condition& condition, int depth) const {
  const std::string& name = condition.name;
  const auto dot = name.find('.');
  if (dot == std::string::npos || find_column(name, context_.cls)) return std::nullopt;
  const std::string root = name.substr(0, dot), rest = name.substr(dot + 1);
  const ColumnPtr pointer = find_column(root, context_.cls);
  const bool is_pointer =
      pointer && pointer->field.kind == Kind::pointer && !pointer->is_redacted && !rest.empty();
  const ClassView* const target =
      is_pointer ? context_.scope.open(pointer->field.target_class) : nullptr;
  if (target == nullptr) return std::nullopt;
  check_depth(depth + 1);
  if ((target->is_id_alias(rest) ? target->id_name() : rest) == pointer->field.target_field) {
    return read(object_of(root, condition.operand), depth + 1);
  }
  const Value where = object_of(rest, condition.operand);
  Node found = in_objects(pointer, *target, where, depth);
  expr::Context nothing;
  const bool holds_for_none =
      context_.parser.filter(where, {})->matches(ObjectBuilder().build(), nothing);
  if (!holds_for_none) return found;
  Node none = Node::negated(in_objects(pointer, *target, ObjectBuilder().build(), depth));
  std::vector<Node> either;
  either.push_back(std::move(found));
  either.push_back(std::move(none));
  return Node::group(Node::Type::any, std::move(either));
}

Node Binder::field(const filter::Condition& condition, int depth) const {
  if (auto node = through_pointer(condition, depth)) return std::move(*node);
  const Subject subject = resolve(condition.name);
  if (!filter::holds_operators(condition.operand)) refuse_mixture(subject.name, condition.operand);
  return operations(subject, condition.operations, depth);
}

Node Binder::operations(const Subject& subject, const std::vector<filter::Operation>& all,
                        int depth) const {
  check_depth(depth);
  std::vector<Node> tests;
  filter::Tests of_json;
  for (const filter::Operation& one : all) {
    if (one.name == "$exists") check_presence(one.operand);
    const bool is_presence = one.name == "$exists" && !subject.column->path;
    if (subject.is_json() && one.test != nullptr && !is_presence) {
      check_json(one);
      of_json.push_back(one.test);
    } else {
      tests.push_back(apply(subject, one, depth));
    }
  }
  if (!of_json.empty()) {
    tests.push_back(Node::of(Leaf{subject.column, Tested{filter::all_test(std::move(of_json))}}));
  }
  if (tests.size() == 1) return std::move(tests.front());
  return Node::group(Node::Type::all, std::move(tests));
}

Node Binder::apply(const Subject& subject, const filter::Operation& one, int depth) const {
  const auto& [op, operand, test, pattern, negated] = one;
  check_redacted(subject, op.empty() ? "equality" : op, operand);
  if (op.empty()) refuse_operator_without_sign(subject.name, operand);
  if (op.empty()) return compare_test(subject, "equality", Order::eq, operand, context_);
  if (op == "$eq") return compare_test(subject, op, Order::eq, operand, context_);
  if (op == "$gt") return compare_test(subject, op, Order::gt, operand, context_);
  if (op == "$gte") return compare_test(subject, op, Order::gte, operand, context_);
  if (op == "$lt") return compare_test(subject, op, Order::lt, operand, context_);
  if (op == "$lte") return compare_test(subject, op, Order::lte, operand, context_);
  if (op == "$ne") return Node::negated(compare_test(subject, op, Order::eq, operand, context_));
  if (op == "$in") return in_test(subject, one, context_);
  if (op == "$nin") return Node::negated(in_test(subject, one, context_));
  if (op == "$exists") {
    Node present = Node::of(Leaf{subject.column, Present{}});
    return operand.is_true() ? present : Node::negated(std::move(present));
  }
  if (op == "$regex") return regex_test(subject, one);
  if (op == "$mod" || filter::Bits::is_operator(op)) return number_test(subject, one);
  if (op == "$type") return type_test(subject, one);
  if (op == "$not") return negation(subject, one, depth);
  if (op == "$all") return all_test(subject, one, context_);
  if (op == "$text") return text_found(&subject, operand, context_);
  if (is_related(op)) return related(subject, one, depth);
  if (is_one_of(op, {"$size", "$containedBy", "$elemMatch"})) {
    refuse("Operator " + op + " does not apply to field '" + subject.name +
           "': it holds no arrays.");
  }
  refuse_geo(op);
}

Node Binder::negation(const Subject& subject, const filter::Operation& one, int depth) const {
  if (!one.operand.find("$text").is_missing()) {
    refuse("$text cannot stand inside $not; negate its words by -.");
  }
  return Node::negated(operations(subject, one.negated, depth + 1));
}

void Binder::check_json(const filter::Operation& one) const {
  if (is_among(filter::near_operators(), one.name)) refuse_geo(one.name);
  const Value condition =
      one.name.empty() ? one.operand : ObjectBuilder().add(one.name, one.operand).build();
  if (const auto* name = internal_field_in(condition, false)) refuse_field(*name, context_.cls);
}

Node Binder::related(const Subject& subject, const filter::Operation& one, int depth) const {
  const auto& [op, operand, test, pattern, negated] = one;
  check_depth(depth + 1);
  if (subject.is_json()) {
    refuse("Operator " + op + " compares a whole field, and '" + subject.name +
           "' is JSON or lies within it.");
  }
  const SubQuery query = read_sub_query(op, operand);
  const ClassView& cls = related_class(query, context_);
  if (subject.column->is_composite()) {
    refuse("Operator " + op + " compares one column, and ids of class '" + context_.cls.name +
           "' are made of several.");
  }
  Node node = in_class(cls, subject, op, query, depth);
  const bool negative = op == "$notInQuery" || op == "$dontSelect";
  return negative ? Node::negated(std::move(node)) : node;
}

// The values that the sub-query finds in `cls`. The SQL of another statement knows no fields of
// documents, so theirs are read first.
Node Binder::in_class(const ClassView& cls, const Subject& subject, std::string_view op,
                      const SubQuery& query, int depth) const {
  if (cls.is_open()) return in_documents(subject, op, query, cls);
  return Node::of(Predicate{related_rows(subject.column, op, query, context_, depth + 1), {}});
}

Node Binder::in_documents(const Subject& subject, std::string_view op, const SubQuery& query,
                          const ClassView& cls) const {
  const bool by_pointer = op == "$inQuery" || op == "$notInQuery";
  if (by_pointer) check_pointer(*subject.column, op, cls);
  Array values = document_keys(*subject.column, op, query, context_);
  if (values.empty()) return Node::constant(false);
  return equals_any(subject, std::move(values), context_);
}

Subject Binder::resolve(std::string_view name) const {
  if (ColumnPtr whole = find_column(name, context_.cls)) {
    return {std::string(name), std::move(whole)};
  }
  const std::string_view root = name.substr(0, name.find('.'));
  const ColumnPtr column = find_column(root, context_.cls);
  if (names_internal(name)) refuse_field(name, context_.cls);
  if (!column) refuse_field(root, context_.cls);
  if (!column->is_json()) refuse_path(name, *column);
  auto below = std::make_shared<Column>(*column);
  below->path = name.substr(root.size() + 1);
  return {std::string(name), std::move(below)};
}

}  // namespace gantry::data::columns
