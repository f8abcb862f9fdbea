#include "plan/plan_match.hpp"

#include <algorithm>
#include <set>

#include "filter/columns/node.hpp"
#include "filter/parser.hpp"
#include "plan/plan_column.hpp"

namespace gantry::data {
namespace {

using columns::Leaf;
using columns::Node;
using ConditionType = filter::Condition::Type;
using MaybeNode = std::optional<Node>;

std::optional<Order> order_named(std::string_view name) {
  if (name.empty() || name == "$eq") return Order::eq;
  if (name == "$gt") return Order::gt;
  if (name == "$gte") return Order::gte;
  if (name == "$lt") return Order::lt;
  if (name == "$lte") return Order::lte;
  return std::nullopt;
}

// One field's condition. Operators that a dialect cannot express are combined into one matcher.
class FieldBinder {
 public:
  explicit FieldBinder(columns::ColumnPtr column) : column_(std::move(column)) {}

  Node bind(const std::vector<filter::Operation>& operations) const {
    std::vector<Node> all;
    filter::Tests left;
    for (const filter::Operation& one : operations) {
      if (auto node = comparison(one)) {
        all.push_back(std::move(*node));
      } else {
        left.push_back(one.test);
      }
    }
    if (!left.empty()) all.push_back(leaf(columns::Tested{filter::all_test(std::move(left))}));
    return Node::group(Node::Type::all, std::move(all));
  }

 private:
  template <class Test>
  Node leaf(Test test) const {
    return Node::of(Leaf{column_, std::move(test)});
  }

  MaybeNode comparison(const filter::Operation& one) const {
    if (!column_->form) return std::nullopt;
    const auto& [name, operand, test, pattern, negated] = one;
    if (const auto order = order_named(name)) return leaf(columns::Compare{*order, operand});
    if (name == "$ne") return Node::negated(leaf(columns::Compare{Order::eq, operand}));
    if (name == "$in") return leaf(OneOf(operand.elements()));
    if (name == "$nin") return Node::negated(leaf(OneOf(operand.elements())));
    if (name == "$exists") {
      Node present = leaf(columns::Present{});
      return operand.is_true() ? present : Node::negated(std::move(present));
    }
    if (name == "$all") return every(operand.elements());
    if (name == "$not") return none(negated);
    const bool is_text =
        column_->form->is(FieldForm::Type::plain) && column_->field.kind == Kind::string;
    if (name == "$regex" && is_text) return leaf(columns::Found{pattern});
    return std::nullopt;
  }

  // $all of values; its elements may be conditions too.
  MaybeNode every(const Array& values) const {
    std::vector<Node> all;
    for (const Value& value : values) {
      if (value.is_object() || value.is_array()) return std::nullopt;
      all.push_back(leaf(columns::Compare{Order::eq, value}));
    }
    if (all.empty()) return Node::constant(false);
    return Node::group(Node::Type::all, std::move(all));
  }

  MaybeNode none(const std::vector<filter::Operation>& operations) const {
    std::vector<Node> all;
    for (const filter::Operation& one : operations) {
      auto node = comparison(one);
      if (!node) return std::nullopt;
      all.push_back(std::move(*node));
    }
    return Node::negated(Node::group(Node::Type::all, std::move(all)));
  }

  columns::ColumnPtr column_;
};

// Empty: the condition needs more than one column.
MaybeNode bind(const filter::Condition& condition, const ClassView& cls) {
  if (condition.type == ConditionType::field) {
    auto column = plan_column(condition.name, cls);
    if (!column) return std::nullopt;
    return FieldBinder(std::make_shared<const columns::Column>(*std::move(column)))
        .bind(condition.operations);
  }
  const bool is_group = condition.type == ConditionType::all ||
                        condition.type == ConditionType::any ||
                        condition.type == ConditionType::none;
  if (!is_group) return std::nullopt;
  std::vector<Node> children;
  for (const filter::ConditionPtr& child : condition.children) {
    auto node = bind(*child, cls);
    if (!node) return std::nullopt;
    children.push_back(std::move(*node));
  }
  const auto type = condition.type == ConditionType::all   ? Node::Type::all
                    : condition.type == ConditionType::any ? Node::Type::any
                                                           : Node::Type::none;
  return Node::group(type, std::move(children));
}

class Splitter {
 public:
  explicit Splitter(const ClassView& cls) : cls_(cls) {}

  MatchParts split(const filter::ConditionPtr& filter, const Dialect& dialect) {
    add(filter);
    parts_.sql = columns::emit(Node::group(Node::Type::all, std::move(bound_)), dialect);
    return std::move(parts_);
  }

 private:
  void add(const filter::ConditionPtr& condition) {
    if (condition->type == ConditionType::all) {
      for (const filter::ConditionPtr& child : condition->children) add(child);
    } else if (auto node = bind(*condition, cls_)) {
      bound_.push_back(std::move(*node));
      parts_.pushed.push_back(condition);
    } else {
      parts_.rest.push_back(condition);
    }
  }

  const ClassView& cls_;
  std::vector<Node> bound_;
  MatchParts parts_;
};

}  // namespace

MatchParts split_match(const filter::ConditionPtr& filter, const ClassView& cls,
                       const Dialect& dialect) {
  return Splitter(cls).split(filter, dialect);
}

Value filter_of(const std::vector<filter::ConditionPtr>& members) {
  if (members.empty()) return {};
  std::set<std::string_view> names;
  for (const filter::ConditionPtr& one : members) names.insert(one->name);
  ObjectBuilder merged;
  Array list;
  for (const filter::ConditionPtr& one : members) {
    if (names.size() == members.size()) {
      merged.add(one->name, one->operand);
    } else {
      list.push_back(ObjectBuilder().add(one->name, one->operand).build());
    }
  }
  if (!list.empty()) merged.add("$and", Value::array(std::move(list)));
  return merged.build();
}

}  // namespace gantry::data
