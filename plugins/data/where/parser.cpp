#include "where/parser.hpp"

#include <algorithm>
#include <iterator>

#include "errors/query_error.hpp"
#include "match/bits.hpp"
#include "match/refuse.hpp"
#include "policy/internal.hpp"
#include "values/utf8.hpp"
#include "where/operand.hpp"
#include "where/refusal.hpp"
#include "where/text_search.hpp"
#include "where/whole_row.hpp"

namespace gantry::data::where {
namespace {

bool is_operator(std::string_view name) { return name.starts_with('$'); }

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_related(std::string_view op) {
  return is_one_of(op, {"$inQuery", "$notInQuery", "$select", "$dontSelect"});
}

// {"$gt": …} is a condition, {"a": …} a value; a mixture is refused.
bool is_condition(const Value& value, std::string_view name) {
  if (!match::holds_operators(value)) {
    const bool is_mixed = value.is_object() && !value.members().empty() &&
                          !is_operator(value.members().front().name) &&
                          std::any_of(value.members().begin(), value.members().end(),
                                      [](const Member& one) { return is_operator(one.name); });
    if (!is_mixed) return false;
  } else if (std::all_of(value.members().begin(), value.members().end(),
                         [](const Member& one) { return is_operator(one.name); })) {
    return true;
  }
  refuse("The condition on '" + std::string(name) +
         "' mixes operators and fields; write one or the other.");
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

bool is_among(std::span<const match::FieldOperator> operators, std::string_view op) {
  return std::any_of(operators.begin(), operators.end(),
                     [op](const match::FieldOperator& known) { return known.name == op; });
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
  if (!condition.is_object() || !(is_filter || match::holds_operators(condition))) return nullptr;
  for (const Member& one : condition.members()) {
    const bool is_field = !is_operator(one.name);
    if (is_field && names_internal(one.name)) return &one.name;
    const bool has_fields =
        one.name == "$elemMatch" || (is_filter && is_one_of(one.name, {"$and", "$or", "$nor"}));
    if (const auto* name = internal_field_in(one.value, has_fields)) return name;
  }
  return nullptr;
}

}  // namespace

Node Parser::root(const Value& where, int depth) const {
  check_depth(depth);
  if (!where.is_object()) {
    refuse("A where is an object of conditions, not " + std::string(described(where)) + ".");
  }
  std::vector<Node> conditions, of_rows;
  for (const auto& [name, value] : where.members()) {
    if (name == "$comment") continue;
    if (!is_operator(name)) {
      conditions.push_back(condition(resolve(name), value, depth));
    } else {
      auto& nodes = is_of_whole_row(name) ? of_rows : conditions;
      nodes.push_back(root_condition(name, value, depth));
    }
  }
  // Last: they are the most expensive, and may fail on rows that the other conditions exclude.
  std::move(of_rows.begin(), of_rows.end(), std::back_inserter(conditions));
  return Node::group(Node::Type::all, std::move(conditions));
}

Node Parser::root_condition(std::string_view op, const Value& operand, int depth) const {
  context_.values.count_condition();
  if (op == "$text") return text_found(nullptr, operand, context_);
  if (is_of_whole_row(op)) return Node::of(Predicate{{}, expr_matcher_sql(op, operand, context_)});
  if (is_one_of(op, {"$and", "$or", "$nor"})) return logical(op, operand, depth);
  match::refuse_operator(op, true);
}

Node Parser::logical(std::string_view op, const Value& list, int depth) const {
  if (!list.is_array() || list.elements().empty()) {
    refuse("Operator " + std::string(op) + " needs an array of at least one object of conditions.");
  }
  if (op != "$and") refuse_text_in(op, list);
  std::vector<Node> children;
  for (const Value& child : list.elements()) children.push_back(root(child, depth + 1));
  const auto type = op == "$and"  ? Node::Type::all
                    : op == "$or" ? Node::Type::any
                                  : Node::Type::none;
  return Node::group(type, std::move(children));
}

Subject Parser::resolve(std::string_view name) const {
  if (ColumnPtr whole = find_column(name, context_.cls)) {
    return {std::string(name), std::move(whole), {}};
  }
  const std::string_view root = name.substr(0, name.find('.'));
  Subject subject{std::string(name), find_column(root, context_.cls), {}};
  if (names_internal(name)) refuse_field(name, context_.cls);
  if (!subject.column) refuse_field(root, context_.cls);
  if (!subject.is_json()) refuse_path(name, *subject.column);
  subject.path = name.substr(root.size() + 1);
  return subject;
}

Node Parser::condition(const Subject& subject, const Value& value, int depth) const {
  if (is_condition(value, subject.name)) return operators(subject, value, depth);
  context_.values.count_condition();
  if (subject.is_json()) return in_json(subject, value);
  check_redacted(subject, "equality", value);
  return compare_test(subject, "equality", Order::eq, value, context_);
}

Node Parser::operators(const Subject& subject, const Value& object, int depth) const {
  check_depth(depth);
  std::vector<Node> tests;
  ObjectBuilder of_json;
  for (const Member& one : object.members()) {
    const bool is_own =
        is_related(one.name) || one.name == "$text" || (one.name == "$exists" && !subject.path);
    if (one.name == "$exists") wants_presence(one.value);
    if (subject.is_json() && !is_own) {
      if (is_among(match::near_operators(), one.name)) refuse_geo(one.name);
      of_json.set(one.name, one.value);
      continue;
    }
    context_.values.count_condition();
    if (one.name == "$options" && !object.find("$regex").is_missing()) continue;
    tests.push_back(apply(subject, one, object, depth));
  }
  if (!of_json.empty()) tests.push_back(in_json(subject, of_json.build()));
  if (tests.size() == 1) return std::move(tests.front());
  return Node::group(Node::Type::all, std::move(tests));
}

Node Parser::apply(const Subject& subject, const Member& one, const Value& object,
                   int depth) const {
  const auto& [op, operand] = one;
  check_redacted(subject, op, operand);
  if (op == "$eq") return compare_test(subject, op, Order::eq, operand, context_);
  if (op == "$gt") return compare_test(subject, op, Order::gt, operand, context_);
  if (op == "$gte") return compare_test(subject, op, Order::gte, operand, context_);
  if (op == "$lt") return compare_test(subject, op, Order::lt, operand, context_);
  if (op == "$lte") return compare_test(subject, op, Order::lte, operand, context_);
  if (op == "$ne") return Node::negated(compare_test(subject, op, Order::eq, operand, context_));
  if (op == "$in") return in_test(subject, op, operand, context_);
  if (op == "$nin") return Node::negated(in_test(subject, op, operand, context_));
  if (op == "$exists") {
    Node present = Node::of(Leaf{subject.column, Present{}});
    return wants_presence(operand) ? present : Node::negated(std::move(present));
  }
  if (op == "$regex") return regex_test(subject, operand, object);
  if (op == "$mod" || match::Bits::is_operator(op)) return number_test(subject, one, context_);
  if (op == "$type") return type_test(subject, one, context_);
  if (op == "$not") return negation(subject, operand, depth);
  if (op == "$all") return all_test(subject, operand, context_);
  if (op == "$text") return text_found(&subject, operand, context_);
  if (is_related(op)) return related(subject, op, operand, depth);
  if (is_one_of(op, {"$size", "$containedBy", "$elemMatch"})) {
    refuse("Operator " + op + " does not apply to field '" + subject.name +
           "': it holds no arrays.");
  }
  const bool is_geo = is_among(match::geo_operators(), op) || is_among(match::near_operators(), op);
  if (is_geo) refuse_geo(op);
  (void)context_.values.operators(object, {});  // refuses what is no operator, and $options alone
  match::refuse_operator(op, false);
}

Node Parser::negation(const Subject& subject, const Value& operand, int depth) const {
  if (!operand.is_object() || !is_condition(operand, subject.name)) {
    refuse("Operator $not needs an object of operators, such as {\"$not\": {\"$gt\": 5}}.");
  }
  if (!operand.find("$text").is_missing()) {
    refuse("$text cannot stand inside $not; negate its words by -.");
  }
  return Node::negated(operators(subject, operand, depth + 1));
}

Node Parser::in_json(const Subject& subject, const Value& condition) const {
  if (const auto* name = internal_field_in(condition, false)) {
    refuse_field(*name, context_.cls);
  }
  return Node::of(Leaf{subject.column, Tested{context_.values.field(condition, {}), subject.path}});
}

Node Parser::related(const Subject& subject, std::string_view op, const Value& operand,
                     int depth) const {
  check_depth(depth + 1);
  if (subject.is_json()) {
    refuse("Operator " + std::string(op) + " compares a whole field, and '" + subject.name +
           "' is JSON or lies within it.");
  }
  const ClassView& cls = related_class(op, operand, context_);
  if (subject.column->is_composite()) {
    refuse("Operator " + std::string(op) + " compares one column, and ids of class '" +
           context_.cls.name + "' are made of several.");
  }
  Node node =
      cls.is_document()
          ? in_documents(subject, op, operand, cls)
          : Node::of(Predicate{related_rows(subject.column, op, operand, context_, depth + 1), {}});
  const bool negative = op == "$notInQuery" || op == "$dontSelect";
  return negative ? Node::negated(std::move(node)) : node;
}

Node Parser::in_documents(const Subject& subject, std::string_view op, const Value& operand,
                          const ClassView& cls) const {
  const bool by_pointer = op == "$inQuery" || op == "$notInQuery";
  if (by_pointer) check_pointer(*subject.column, op, cls);
  Array values = document_keys(*subject.column, op, operand, context_);
  if (values.empty()) return Node::constant(false);
  return equals_any(subject, std::move(values), context_);
}

}  // namespace gantry::data::where
