#include "where/parser.hpp"

#include <algorithm>
#include <iterator>

#include "policy/internal.hpp"
#include "values/utf8.hpp"
#include "where/operand.hpp"
#include "where/operators.hpp"
#include "where/path.hpp"
#include "where/refusal.hpp"
#include "where/text_search.hpp"
#include "where/whole_row.hpp"

namespace gantry::data::where {
namespace {

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

bool is_operator(std::string_view name) { return !name.empty() && name.front() == '$'; }

// {"$gt": …} is a condition, {"a": …} a value; a mixture is refused.
bool is_condition(const Json& value, std::string_view name) {
  if (!value.IsObject() || value.MemberCount() == 0 || is_literal(value)) return false;
  const bool first = is_operator(text_of(value.MemberBegin()->name));
  for (const auto& member : value.GetObject()) {
    if (is_operator(text_of(member.name)) != first) {
      refuse("The condition on '" + std::string(name) +
             "' mixes operators and fields; write one or the other.");
    }
  }
  return first;
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
bool asks_for_null(std::string_view op, const Json& operand) {
  if (op == "$exists" || op == "$not") return true;
  if (op == "equality" || op == "$eq" || op == "$ne") return operand.IsNull();
  const bool is_list = (op == "$in" || op == "$nin") && operand.IsArray();
  return is_list && std::all_of(operand.Begin(), operand.End(),
                                [](const Json& value) { return value.IsNull(); });
}

void check_redacted(const Subject& subject, std::string_view op, const Json& operand,
                    const Scope& scope) {
  const bool is_redacted = subject.column != nullptr && subject.column->is_redacted(scope);
  if (is_redacted && !asks_for_null(op, operand)) refuse_redacted(subject.name);
}

}  // namespace

void Budget::spend_operator() {
  if (++operators > kMaxOperators) {
    refuse("A where has at most " + std::to_string(kMaxOperators) + " conditions.");
  }
}

void Budget::spend_listed(std::size_t count) {
  listed += count;
  if (listed > kMaxListed) {
    refuse("A where lists at most " + std::to_string(kMaxListed) +
           " values in $in and its kin. Ask in several calls or use a range.");
  }
}

Node leaf(const Subject& subject, Test test) {
  return Node::of(Leaf{subject.column, subject.path, std::move(test)});
}

rapidjson::Value::ConstArray listed(std::string_view op, const Json& operand,
                                    const Context& context) {
  if (!operand.IsArray()) {
    refuse("Operator " + std::string(op) + " needs an array, not " +
           std::string(described(operand)) + ".");
  }
  context.budget.spend_listed(operand.Size());
  return operand.GetArray();
}

Node Parser::document(const Json& where, bool at_class, int depth) const {
  check_depth(depth);
  if (!where.IsObject()) {
    refuse("A where is an object of conditions, not " + std::string(described(where)) + ".");
  }
  std::vector<Node> conditions, of_rows;
  for (const auto& [key, value] : where.GetObject()) {
    const std::string_view name = text_of(key);
    if (name == "$text" && at_class) {
      context_.budget.spend_operator();
      conditions.push_back(text_found(nullptr, value, context_));
    } else if (is_operator(name)) {
      if (operator_group(name) != OperatorGroup::root) refuse_operator(name);
      if (name == "$comment") continue;
      auto& nodes = is_of_whole_row(name) ? of_rows : conditions;
      nodes.push_back(root_condition(name, value, at_class, depth));
    } else {
      conditions.push_back(condition(resolve(name, at_class), value, depth));
    }
  }
  // Last: they are the most expensive, and may fail on rows that the other conditions exclude.
  std::move(of_rows.begin(), of_rows.end(), std::back_inserter(conditions));
  return Node::group(Node::Type::all, std::move(conditions));
}

Node Parser::root_condition(std::string_view op, const Json& operand, bool at_class,
                            int depth) const {
  if (!is_of_whole_row(op)) return logical(op, operand, at_class, depth);
  context_.budget.spend_operator();
  if (!at_class) {
    refuse("Operator " + std::string(op) + " stands at the top of a where, not inside $elemMatch.");
  }
  return Node::of(expr_matcher_sql(op, operand, context_));
}

Node Parser::logical(std::string_view op, const Json& list, bool at_class, int depth) const {
  context_.budget.spend_operator();
  if (!list.IsArray() || list.Empty()) {
    refuse("Operator " + std::string(op) + " needs an array of at least one object of conditions.");
  }
  if (op != "$and") refuse_text_in(op, list);
  std::vector<Node> children;
  for (const Json& child : list.GetArray()) {
    children.push_back(document(child, at_class, depth + 1));
  }
  const auto type = op == "$and"  ? Node::Type::all
                    : op == "$or" ? Node::Type::any
                                  : Node::Type::none;
  return Node::group(type, std::move(children));
}

Subject Parser::resolve(std::string_view name, bool at_class) const {
  if (!at_class) {
    if (names_internal(name)) refuse_field(name, context_.cls, context_.scope);
    return {std::string(name), nullptr, split_path(name)};
  }
  const auto column = [&](std::string_view root) {
    return find_column(root, context_.cls, context_.scope, context_.options.qualifier);
  };
  Subject subject{std::string(name), column(name), {}};
  if (subject.column) return subject;
  std::vector<std::string> path = split_path(name);
  subject.column = column(path.front());
  if (names_internal(name)) refuse_field(name, context_.cls, context_.scope);
  if (!subject.column) refuse_field(path.front(), context_.cls, context_.scope);
  if (!subject.column->is_json()) refuse_path(name, *subject.column);
  subject.path.assign(path.begin() + 1, path.end());
  return subject;
}

Node Parser::condition(const Subject& subject, const Json& value, int depth) const {
  if (is_condition(value, subject.name)) return operators(subject, value, depth);
  context_.budget.spend_operator();
  check_redacted(subject, "equality", value, context_.scope);
  return compare_test(subject, "equality", Order::eq, value, context_);
}

Node Parser::operators(const Subject& subject, const Json& document, int depth) const {
  check_depth(depth);
  std::vector<Node> tests;
  for (const auto& [key, operand] : document.GetObject()) {
    const std::string_view op = text_of(key);
    context_.budget.spend_operator();
    if (op == "$options") {
      if (!document.HasMember("$regex")) refuse("$options belongs to a $regex beside it.");
      continue;
    }
    tests.push_back(apply(subject, op, operand, document, depth));
  }
  if (tests.size() == 1) return std::move(tests.front());
  return Node::group(Node::Type::all, std::move(tests));
}

Node Parser::apply(const Subject& subject, std::string_view op, const Json& operand,
                   const Json& document, int depth) const {
  check_redacted(subject, op, operand, context_.scope);
  if (op == "$eq") return compare_test(subject, op, Order::eq, operand, context_);
  if (op == "$gt") return compare_test(subject, op, Order::gt, operand, context_);
  if (op == "$gte") return compare_test(subject, op, Order::gte, operand, context_);
  if (op == "$lt") return compare_test(subject, op, Order::lt, operand, context_);
  if (op == "$lte") return compare_test(subject, op, Order::lte, operand, context_);
  if (op == "$ne") return Node::negated(compare_test(subject, op, Order::eq, operand, context_));
  if (op == "$in") return in_test(subject, op, operand, context_);
  if (op == "$nin") return Node::negated(in_test(subject, op, operand, context_));
  if (op == "$exists") return exists_test(subject, operand);
  if (op == "$regex") return regex_test(subject, operand, document);
  if (op == "$mod") return modulo_test(subject, operand);
  if (match::Bits::is_operator(op)) return bits_test(subject, op, operand, context_);
  if (op == "$type") return type_test(subject, operand);
  if (op == "$size") return size_test(subject, operand);
  if (op == "$containedBy") return contained_test(subject, operand, context_);
  if (op == "$not") return negation(subject, operand, depth);
  if (op == "$all") return all_of(subject, operand, depth);
  if (op == "$elemMatch") return element(subject, operand, depth);
  if (op == "$text") return text_found(&subject, operand, context_);
  if (op == "$inQuery" || op == "$notInQuery" || op == "$select" || op == "$dontSelect") {
    return related(subject, op, operand, depth);
  }
  refuse_operator(op);
}

Node Parser::negation(const Subject& subject, const Json& operand, int depth) const {
  if (!operand.IsObject() || !is_condition(operand, subject.name)) {
    refuse("Operator $not needs an object of operators, such as {\"$not\": {\"$gt\": 5}}.");
  }
  if (operand.HasMember("$text")) refuse("$text cannot stand inside $not; negate its words by -.");
  return Node::negated(operators(subject, operand, depth + 1));
}

Node Parser::all_of(const Subject& subject, const Json& operand, int depth) const {
  const auto list = listed("$all", operand, context_);
  const auto is_nested = [](const Json& value) {
    return value.IsObject() && value.HasMember("$elemMatch");
  };
  const auto nested_ones = std::count_if(list.begin(), list.end(), is_nested);
  if (nested_ones != 0 && nested_ones != list.end() - list.begin()) {
    refuse("$all lists values or $elemMatch conditions, not both.");
  }
  std::vector<Node> tests;
  for (const Json& value : list) {
    const bool nested = is_nested(value);
    if (nested && value.MemberCount() > 1) refuse("$elemMatch stands alone inside $all.");
    tests.push_back(nested ? element(subject, value["$elemMatch"], depth + 1)
                           : compare_test(subject, "$all", Order::eq, value, context_));
  }
  const auto type = tests.empty() ? Node::Type::any : Node::Type::all;  // an empty list: no row
  return Node::group(type, std::move(tests));
}

Node Parser::element(const Subject& subject, const Json& operand, int depth) const {
  if (subject.is_typed()) {
    refuse("Operator $elemMatch looks into arrays, and field '" + subject.name + "' holds none.");
  }
  if (!operand.IsObject()) refuse("Operator $elemMatch needs an object of conditions.");
  check_depth(depth + 1);
  const std::string_view first =
      operand.MemberCount() == 0 ? std::string_view() : text_of(operand.MemberBegin()->name);
  const bool of_objects = !is_operator(first) || operator_group(first) == OperatorGroup::root;
  Node inner = of_objects ? document(operand, false, depth + 1)
                          : operators(Subject{subject.name, nullptr, {}}, operand, depth + 1);
  return leaf(subject, Element{std::make_shared<const Node>(std::move(inner)), of_objects});
}

Node Parser::related(const Subject& subject, std::string_view op, const Json& operand,
                     int depth) const {
  check_depth(depth + 1);
  if (!subject.is_typed()) {
    refuse("Operator " + std::string(op) + " compares a whole field, and '" + subject.name +
           "' is JSON or lies within it.");
  }
  const ClassInfo& cls = related_class(op, operand, context_);
  if (subject.column->is_composite()) {
    refuse("Operator " + std::string(op) + " compares one column, and ids of class '" +
           context_.cls.name + "' are made of several.");
  }
  Node node = cls.document.empty()
                  ? Node::of(related_rows(subject.column, op, operand, context_, depth + 1))
                  : in_documents(subject, op, operand, cls);
  const bool negative = op == "$notInQuery" || op == "$dontSelect";
  return negative ? Node::negated(std::move(node)) : node;
}

Node Parser::in_documents(const Subject& subject, std::string_view op, const Json& operand,
                          const ClassInfo& cls) const {
  const bool by_pointer = op == "$inQuery" || op == "$notInQuery";
  if (by_pointer) check_pointer(*subject.column, op, cls);
  std::vector<View> values = document_keys(*subject.column, op, operand, context_);
  if (values.empty()) return Node::group(Node::Type::any, {});
  return equals_any(subject, std::move(values), context_);
}

}  // namespace gantry::data::where
