// The effect of each stage on the shape of documents.
#include <algorithm>

#include "pipeline/provenance.hpp"
#include "pipeline/spec.hpp"

namespace gantry::data::pipeline {
namespace {

using Change = void (*)(const Value& spec, Shape& shape);

std::string text_of(const Value& value) {
  return value.is_string() ? std::string(value.text()) : std::string();
}

// The leaves of {a: {b: x}, "c.d": y}: "a.b" with x and "c.d" with y.
struct Leaf {
  std::string path;
  Value value;
};
void add_leaves(const std::string& above, const Value& spec, std::vector<Leaf>& leaves) {
  for (const Member& member : spec.members()) {
    const std::string path = above.empty() ? member.name : above + "." + member.name;
    const Value& value = member.value;
    if (value.is_object() && !value.members().empty() && !is_operator(value)) {
      add_leaves(path, value, leaves);
    } else {
      leaves.push_back({path, value});
    }
  }
}
std::vector<Leaf> leaves_of(const Value& spec) {
  std::vector<Leaf> leaves;
  if (spec.is_object()) add_leaves("", spec, leaves);
  return leaves;
}

void leave(const Value&, Shape&) {}

void add_fields(const Value& spec, Shape& shape) {
  for (const Leaf& leaf : leaves_of(spec)) shape.make(leaf.path);
}

bool is_exclusion(const std::vector<Leaf>& leaves) {
  const auto is_left_out = [](const Leaf& leaf) {
    return is_flag(leaf.value) && !leaf.value.is_true();
  };
  const auto is_about_others = [](const Leaf& leaf) { return leaf.path != "_id"; };
  const auto other = std::find_if(leaves.begin(), leaves.end(), is_about_others);
  return is_left_out(other != leaves.end() ? *other : leaves.front());
}

void project(const Value& spec, Shape& shape) {
  const std::vector<Leaf> leaves = leaves_of(spec);
  if (leaves.empty()) return;
  if (is_exclusion(leaves)) {
    for (const Leaf& leaf : leaves) {
      if (!leaf.value.is_true()) shape.drop(leaf.path);
    }
    return;
  }
  const bool names_id = std::any_of(leaves.begin(), leaves.end(), [](const Leaf& leaf) {
    return leaf.path == "_id" || leaf.path.starts_with("_id.");
  });
  std::vector<std::string> kept;
  if (!names_id) kept.push_back("_id");
  for (const Leaf& leaf : leaves) {
    if (is_flag(leaf.value) && leaf.value.is_true()) kept.push_back(leaf.path);
  }
  shape.keep_only(kept);
  for (const Leaf& leaf : leaves) {
    if (!is_flag(leaf.value)) shape.make(leaf.path);
  }
}

void unset(const Value& spec, Shape& shape) {
  if (!spec.is_array()) return shape.drop(text_of(spec));
  for (const Value& path : spec.elements()) shape.drop(text_of(path));
}

void make_names(const Value& object, Shape& shape) {
  if (!object.is_object()) return;
  for (const Member& member : object.members()) shape.make(member.name);
}

void group(const Value& spec, Shape& shape) {
  shape = Shape::made(false);
  make_names(spec, shape);
}

void bucket(const Value& spec, Shape& shape) {
  shape = Shape::made(false);
  shape.make("_id");
  if (spec.find("output").is_missing()) shape.make("count");
  make_names(spec.find("output"), shape);
}

// An empty output of $bucketAuto is equivalent to none.
void bucket_auto(const Value& spec, Shape& shape) {
  bucket(spec, shape);
  const Value& output = spec.find("output");
  if (output.is_object() && output.members().empty()) shape.make("count");
}

void count(const Value& spec, Shape& shape) {
  shape = Shape::made(false);
  shape.make(text_of(spec));
}

void sort_by_count(const Value&, Shape& shape) {
  shape = Shape::made(false);
  shape.make("_id");
  shape.make("count");
}

void unwind(const Value& spec, Shape& shape) {
  if (const std::string index = text_of(spec.find("includeArrayIndex")); !index.empty()) {
    shape.make(index);
  }
}

void join(const Value& spec, Shape& shape) { shape.make(text_of(spec.find("as"))); }

void union_with(const Value&, Shape& shape) { shape.add_unknown(); }

bool is_whole_document(const Value& value) {
  return value.is_string() && (value.text() == "$$ROOT" || value.text() == "$$CURRENT");
}

bool mentions_whole_document(const Value& value) {
  if (value.is_array()) {
    return std::any_of(value.elements().begin(), value.elements().end(), mentions_whole_document);
  }
  if (!value.is_object()) return is_whole_document(value);
  return std::any_of(value.members().begin(), value.members().end(),
                     [](const Member& member) { return mentions_whole_document(member.value); });
}

void replace_with(const Value& root, Shape& shape) {
  if (is_whole_document(root)) return;
  if (root.is_object() && !is_operator(root)) return group(root, shape);
  if (is_operator(root) && mentions_whole_document(root)) return shape.add_unknown();
  shape = Shape::made(true);
}

void replace_root(const Value& spec, Shape& shape) { replace_with(spec.find("newRoot"), shape); }

void documents(const Value& spec, Shape& shape) {
  const bool is_written_out = spec.is_array();
  shape = Shape::made(!is_written_out);
  if (!is_written_out) return;
  for (const Value& document : spec.elements()) {
    if (is_operator(document) || !document.is_object()) shape.add_unknown();
    make_names(document, shape);
  }
}

// Filling gaps in a class field leaves it a class field.
void fill(const Value& spec, Shape& shape) {
  const Value& output = spec.find("output");
  if (!output.is_object()) return;
  for (const Member& member : output.members()) {
    if (shape.origin_of(member.name) == Origin::none) shape.make(member.name);
  }
}

void set_window_fields(const Value& spec, Shape& shape) {
  const Value& output = spec.find("output");
  if (!output.is_object()) return;
  for (const Member& member : output.members()) shape.make(member.name);
}

constexpr std::pair<std::string_view, Change> kShapeChanges[] = {
    {"$addFields", add_fields},
    {"$bucket", bucket},
    {"$bucketAuto", bucket_auto},
    {"$count", count},
    {"$densify", leave},
    {"$documents", documents},
    {"$facet", group},
    {"$fill", fill},
    {"$graphLookup", join},
    {"$group", group},
    {"$limit", leave},
    {"$lookup", join},
    {"$match", leave},
    {"$project", project},
    {"$redact", leave},
    {"$replaceRoot", replace_root},
    {"$replaceWith", replace_with},
    {"$sample", leave},
    {"$set", add_fields},
    {"$setWindowFields", set_window_fields},
    {"$skip", leave},
    {"$sort", leave},
    {"$sortByCount", sort_by_count},
    {"$unionWith", union_with},
    {"$unset", unset},
    {"$unwind", unwind},
};

void change(const Value& stage, Shape& shape) {
  if (!stage.is_object() || stage.members().empty()) return;
  const Member& member = stage.members().front();
  for (const auto& [name, how] : kShapeChanges) {
    if (name == member.name) return how(member.value, shape);
  }
}

}  // namespace

std::vector<Shape> shapes_after(const Value& pipeline, Shape before) {
  std::vector<Shape> shapes;
  if (!pipeline.is_array()) return shapes;
  for (const Value& stage : pipeline.elements()) {
    change(stage, before);
    shapes.push_back(before);
  }
  return shapes;
}

}  // namespace gantry::data::pipeline
