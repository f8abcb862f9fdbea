#include "pipeline/projection.hpp"

#include <algorithm>

#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

const Projection::Node* Projection::child_of(const Node& node, std::string_view name) {
  const auto it = std::find_if(node.children.begin(), node.children.end(),
                               [&](const Node& child) { return child.name == name; });
  return it == node.children.end() ? nullptr : &*it;
}

void Projection::apply(Value& document, expr::Context& context) const {
  Values values;
  if (!expressions_.empty()) {
    values.reserve(expressions_.size());
    look_at(context, document);
    for (const auto& expression : expressions_) values.push_back(expression->evaluate(context));
    look_at(context, Value());  // so that the document is ours alone and changes in place
  }
  if (kind_ == Kind::exclusion) return exclude(root_, document);
  if (kind_ == Kind::inclusion) document = include(root_, document);
  if (root_.has_computed) compute_object(root_, values, document);
}

Value Projection::include(const Node& node, const Value& object) {
  ObjectBuilder kept;
  for (const Member& member : object.members()) {
    const Node* const child = child_of(node, member.name);
    if (child == nullptr || child->value >= 0) continue;
    kept.add(member.name, child->is_leaf ? member.value : include_value(*child, member.value));
  }
  return kept.build();
}

// Below a path that ends in a computed field, elements that are left out keep their place: the
// field is put in there.
Value Projection::include_value(const Node& node, const Value& value) {
  if (value.is_object()) return include(node, value);
  if (!value.is_array()) return Value();
  Array kept;
  for (const Value& element : value.elements()) {
    Spending::step_current();
    Value shown = include_value(node, element);
    if (node.has_computed || !shown.is_missing()) kept.push_back(std::move(shown));
  }
  return Value::array(std::move(kept));
}

void Projection::exclude(const Node& node, Value& object) {
  for (const Node& child : node.children) {
    const Value& there = object.find(child.name);
    if (there.is_missing()) continue;
    if (!child.is_leaf && !there.is_object() && !there.is_array()) continue;
    Members& members = object.own_members();
    const auto it = std::find_if(members.begin(), members.end(),
                                 [&](const Member& member) { return member.name == child.name; });
    if (child.is_leaf) {
      members.erase(it);
    } else {
      exclude_value(child, it->value);
    }
  }
}

void Projection::exclude_value(const Node& node, Value& value) {
  if (value.is_object()) return exclude(node, value);
  if (!value.is_array()) return;
  for (Value& element : value.own_elements()) {
    Spending::step_current();
    exclude_value(node, element);
  }
}

void Projection::compute_object(const Node& node, const Values& values, Value& object) {
  Members& members = object.own_members();
  for (const Node& child : node.children) {
    if (!child.has_computed) continue;
    auto it = std::find_if(members.begin(), members.end(),
                           [&](const Member& member) { return member.name == child.name; });
    if (child.value >= 0 && values[child.value].is_missing()) {
      if (it != members.end()) members.erase(it);
      continue;
    }
    if (it == members.end()) it = members.insert(members.end(), Member{child.name, Value()});
    if (child.value >= 0) {
      it->value = values[child.value];
    } else {
      compute(child, values, it->value);
    }
  }
}

void Projection::compute(const Node& node, const Values& values, Value& value) {
  if (value.is_array()) {
    for (Value& element : value.own_elements()) {
      Spending::step_current();
      compute(node, values, element);
    }
    return;
  }
  if (!value.is_object()) value = ObjectBuilder().build();
  compute_object(node, values, value);
}

void Projection::add_paths(std::set<std::string>& paths) const {
  for (const auto& expression : expressions_) expression->add_paths(paths);
  if (kind_ != Kind::exclusion) add_paths_below(root_, "", paths);
}

void Projection::add_paths_below(const Node& node, const std::string& path,
                                 std::set<std::string>& paths) const {
  for (const Node& child : node.children) {
    const std::string below = path.empty() ? child.name : path + "." + child.name;
    if (child.value >= 0) continue;
    if (child.is_leaf || child.has_computed) paths.insert(below);
    if (!child.is_leaf) add_paths_below(child, below, paths);
  }
}

}  // namespace gantry::data::pipeline
