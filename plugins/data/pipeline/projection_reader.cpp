#include "pipeline/projection_reader.hpp"

namespace gantry::data::pipeline {
namespace {

// Splits "a.b" into [a, b]. An empty part is an error.
Path path_of(const std::string& stage, const std::string& name) {
  return parse_path(stage, "a field's name", name);
}

}  // namespace

Projection::Reader::Reader(std::string_view stage, Kind kind, expr::Variables* variables)
    : variables_(variables), is_project_(kind == Kind::inclusion) {
  result_.stage_ = stage;
  result_.kind_ = kind;
}

void Projection::Reader::read(const Value& spec) {
  if (!spec.is_object()) {
    refuse(result_.stage_, "wants an object of fields, not " + kind_of(spec));
  }
  if (is_project_ && spec.members().empty()) refuse(result_.stage_, "wants at least one field");
  for (const Member& member : spec.members()) {
    add(result_.root_, path_of(result_.stage_, member.name), member.value, true);
  }
  if (is_project_) settle_project();
}

void Projection::Reader::drop(const Path& path) {
  node_at(result_.root_, path, false).is_leaf = true;
}

Projection Projection::Reader::finish() {
  mark_computed(result_.root_);
  return std::move(result_);
}

Projection::Node& Projection::Reader::node_at(Node& parent, const Path& path, bool may_branch) {
  Spending::step_current();
  Node* at = &parent;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto place = place_of(*at, path[i]);
    Node* const there = place ? &at->children[*place] : nullptr;
    const bool is_last = i + 1 == path.size();
    if (there != nullptr && (there->is_leaf || (is_last && !may_branch))) {
      refuse(result_.stage_, "'" + dotted(path) +
                                 "' stands for a field that another entry names too, itself or one "
                                 "above or below it; name each field once");
    }
    at = there != nullptr ? there : &add_child(*at, path[i]);
  }
  return *at;
}

Projection::Node& Projection::Reader::add_child(Node& parent, const std::string& name) {
  Node& child = parent.children.emplace_back();
  child.name = name;
  const std::size_t count = parent.children.size();
  if (count > kMany + 1) {
    parent.places.emplace(name, count - 1);
  } else if (count == kMany + 1) {
    index(parent);
  }
  return child;
}

void Projection::Reader::index(Node& node) {
  node.places.clear();
  if (node.children.size() <= kMany) return;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    node.places.emplace(node.children[i].name, i);
  }
}

void Projection::Reader::add(Node& parent, const Path& path, const Value& value, bool is_top) {
  const bool is_nested =
      value.is_object() && !is_operator(value) && (is_project_ || !value.members().empty());
  Node& node = node_at(parent, path, is_nested);
  if (is_nested) return add_object(node, value);
  node.is_leaf = true;
  const bool is_id = is_top && path.size() == 1 && path[0] == "_id";
  if (is_project_ && is_flag(value)) return add_flag(node, value.is_true(), is_id);
  add_expression(node, value);
}

void Projection::Reader::add_object(Node& node, const Value& value) {
  if (value.members().empty()) {
    refuse(result_.stage_, "'" + node.name +
                               "' is an empty object; name fields in it, or write "
                               "{$literal: {}} for the value");
  }
  for (const Member& member : value.members()) {
    if (!is_project_ && member.name.find('.') != std::string::npos) {
      refuse(result_.stage_, "a name inside '" + node.name + "' has a dot in it; nest objects");
    }
    add(node, path_of(result_.stage_, member.name), member.value, false);
  }
}

void Projection::Reader::add_flag(Node& node, bool is_kept, bool is_id) {
  if (is_id) {
    (is_kept ? id_kept_ : id_dropped_) = true;
  } else {
    (is_kept ? keeps_ : drops_) = true;
  }
  if (keeps_ && drops_) {
    refuse(result_.stage_, "'" + node.name +
                               "' mixes fields to keep with fields to leave out; only '_id' may be "
                               "left out among fields to keep");
  }
}

void Projection::Reader::add_expression(Node& node, const Value& value) {
  keeps_ = true;
  if (is_project_ && drops_) {
    refuse(result_.stage_, "'" + node.name +
                               "' is computed beside fields to leave out; keep fields by name, or "
                               "use $addFields and $unset");
  }
  node.value = static_cast<int>(result_.expressions_.size());
  result_.expressions_.push_back(expr::parse_expression(value, *variables_));
}

// Decides between inclusion and exclusion, and how _id is treated.
void Projection::Reader::settle_project() {
  const bool is_exclusion = drops_ || (!keeps_ && id_dropped_);
  result_.kind_ = is_exclusion ? Kind::exclusion : Kind::inclusion;
  auto& fields = result_.root_.children;
  const bool has_id_node = child_of(result_.root_, "_id") != nullptr;
  if (is_exclusion ? id_kept_ : id_dropped_) {
    std::erase_if(fields, [](const Node& node) { return node.name == "_id"; });
    index(result_.root_);
  } else if (!is_exclusion && !has_id_node) {
    add_child(result_.root_, "_id").is_leaf = true;
  }
}

bool Projection::Reader::mark_computed(Node& node) {
  node.has_computed = node.value >= 0;
  for (Node& child : node.children) {
    const bool is_computed = mark_computed(child);
    node.has_computed = node.has_computed || is_computed;
  }
  return node.has_computed;
}

Projection Projection::of_project(std::string_view stage, const Value& spec,
                                  expr::Variables& variables) {
  Reader reader(stage, Kind::inclusion, &variables);
  reader.read(spec);
  return reader.finish();
}

Projection Projection::of_add_fields(std::string_view stage, const Value& spec,
                                     expr::Variables& variables) {
  Reader reader(stage, Kind::addition, &variables);
  reader.read(spec);
  return reader.finish();
}

Projection Projection::of_unset(std::string_view stage, const std::vector<Path>& paths) {
  Reader reader(stage, Kind::exclusion, nullptr);
  for (const Path& path : paths) reader.drop(path);
  return reader.finish();
}

}  // namespace gantry::data::pipeline
