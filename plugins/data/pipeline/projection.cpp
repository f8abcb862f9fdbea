#include "pipeline/projection.hpp"

#include <algorithm>
#include <limits>

#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

std::optional<std::size_t> Projection::place_of(const Node& node, const std::string& name) {
  if (!node.places.empty()) {
    const auto it = node.places.find(name);
    return it == node.places.end() ? std::nullopt : std::optional(it->second);
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (node.children[i].name == name) return i;
  }
  return std::nullopt;
}

const Projection::Node* Projection::child_of(const Node& node, const std::string& name) {
  const auto place = place_of(node, name);
  return place ? &node.children[*place] : nullptr;
}

void Projection::apply(Value& document, expr::Context& context) const {
  Values values;
  if (!expressions_.empty()) {
    values.reserve(expressions_.size());
    look_at(context, document);
    for (const auto& expression : expressions_) values.push_back(expression->evaluate(context));
    // Drops the context's reference, so that the document is unshared and can be changed in place.
    look_at(context, Value());
  }
  if (kind_ == Kind::exclusion) return exclude(root_, document);
  if (kind_ == Kind::inclusion) document = include(root_, document);
  if (root_.has_computed) compute_object(root_, values, document);
}

Value Projection::include(const Node& node, const Value& object) {
  ObjectBuilder kept;
  SmallSteps step;
  for (const Member& member : object.members()) {
    step();
    const Node* const child = child_of(node, member.name);
    if (child == nullptr || child->value >= 0) continue;
    kept.add(member.name, child->is_leaf ? member.value : include_value(*child, member.value));
  }
  return kept.build();
}

// Below a path to a computed field, excluded elements keep their position: the field is added to an
// empty object.
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

// The child that excludes a part of a member.
const Projection::Node* Projection::excluding(const Node& node, const Member& member) {
  const Node* const child = child_of(node, member.name);
  if (child == nullptr || child->is_leaf) return child;
  return member.value.is_object() || member.value.is_array() ? child : nullptr;
}

// An object without excluded members stays shared.
void Projection::exclude(const Node& node, Value& object) {
  SmallSteps step;
  const Members& before = object.members();
  const auto first = std::find_if(before.begin(), before.end(), [&](const Member& member) {
    return step(), excluding(node, member) != nullptr;
  });
  if (first == before.end()) return;
  const auto begin = static_cast<std::size_t>(first - before.begin());
  Members& members = object.own_members();
  std::size_t kept = begin;
  for (std::size_t i = begin; i < members.size(); ++i) {
    step();
    const Node* const child = excluding(node, members[i]);
    if (child != nullptr && child->is_leaf) continue;
    if (child != nullptr) exclude_value(*child, members[i].value);
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.resize(kept);
}

void Projection::exclude_value(const Node& node, Value& value) {
  if (value.is_object()) return exclude(node, value);
  if (!value.is_array()) return;
  for (Value& element : value.own_elements()) {
    Spending::step_current();
    exclude_value(node, element);
  }
}

// The position of each child's member in the object.
class Projection::Targets {
 public:
  Targets(const Node& node, const Members& members) : node_(node), members_(members) {
    if (node.places.empty()) return;
    at_.resize(node.children.size(), kNone);
    for (std::size_t i = 0; i < members.size(); ++i) {
      Spending::step_current();
      const auto place = place_of(node, members[i].name);
      if (place && at_[*place] == kNone) at_[*place] = i;
    }
  }
  // The number of members if there is none. Members may only be added meanwhile.
  std::size_t operator[](std::size_t child) const {
    if (!at_.empty()) return std::min(at_[child], members_.size());
    const std::string& name = node_.children[child].name;
    const auto it = std::find_if(members_.begin(), members_.end(),
                                 [&](const Member& member) { return member.name == name; });
    return static_cast<std::size_t>(it - members_.begin());
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  const Node& node_;
  const Members& members_;
  std::vector<std::size_t, Metered<std::size_t>> at_;  // by child, if there are many
};

void Projection::compute_object(const Node& node, const Values& values, Value& object) {
  Members& members = object.own_members();
  const Targets targets(node, members);
  bool has_gaps = false;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = node.children[i];
    if (!child.has_computed) continue;
    Spending::step_current();
    const std::size_t at = targets[i];
    if (child.value >= 0 && values[child.value].is_missing()) {
      if (at == members.size()) continue;
      members[at].value = Value();
      has_gaps = true;
      continue;
    }
    if (at == members.size()) members.push_back({child.name, Value()});
    if (child.value >= 0) {
      members[at].value = values[child.value];
    } else {
      compute(child, values, members[at].value);
    }
  }
  if (has_gaps) std::erase_if(members, [](const Member& m) { return m.value.is_missing(); });
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
