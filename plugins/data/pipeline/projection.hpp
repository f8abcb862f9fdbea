// pipeline/projection.hpp: includes, excludes and computes fields: $project, $addFields, $unset.
//
// Parsed once, then applied to each document. Arrays on a dotted path are traversed element by
// element. Immutable after parsing; errors are thrown as QueryError.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expr/expression.hpp"
#include "pipeline/spec.hpp"

namespace gantry::data::pipeline {

class Projection {
 public:
  enum class Kind { inclusion, exclusion, addition };

  // Parse the operand of $project, the operand of $addFields, and the paths of $unset.
  static Projection of_project(std::string_view stage, const Value& spec,
                               expr::Variables& variables);
  static Projection of_add_fields(std::string_view stage, const Value& spec,
                                  expr::Variables& variables);
  static Projection of_unset(std::string_view stage, const std::vector<Path>& paths);

  void apply(Value& document, expr::Context& context) const;
  Kind kind() const { return kind_; }
  // Adds the paths that it reads.
  void add_paths(std::set<std::string>& paths) const;

 private:
  // A node of the tree: a branch with fields below it, an included or excluded leaf, or a leaf with
  // an expression.
  struct Node {
    std::string name;
    std::vector<Node> children;
    std::unordered_map<std::string, std::size_t> places;  // for many children, by name
    bool is_leaf = false;
    int value = -1;  // index of an expression, or -1
    bool has_computed = false;
  };
  using Values = Array;
  class Reader;
  class Targets;

  static constexpr std::size_t kMany = 16;  // from this number of children on `places` is used

  static std::optional<std::size_t> place_of(const Node& node, const std::string& name);
  static const Node* child_of(const Node& node, const std::string& name);
  static Value include(const Node& node, const Value& object);
  static Value include_value(const Node& node, const Value& value);
  static const Node* excluding(const Node& node, const Member& member);
  static void exclude(const Node& node, Value& object);
  static void exclude_value(const Node& node, Value& value);
  static void compute(const Node& node, const Values& values, Value& value);
  static void compute_object(const Node& node, const Values& values, Value& object);
  void add_paths_below(const Node& node, const std::string& path,
                       std::set<std::string>& paths) const;

  std::string stage_;
  Kind kind_ = Kind::inclusion;
  Node root_;
  std::vector<expr::ExpressionPtr> expressions_;
};

}  // namespace gantry::data::pipeline
