// pipeline/projection_reader.hpp: parses a stage's operand into a Projection's tree. Used by
// projection_reader.cpp and the factories of Projection only.
#pragma once

#include "pipeline/projection.hpp"

namespace gantry::data::pipeline {

class Projection::Reader {
 public:
  Reader(std::string_view stage, Kind kind, expr::Variables* variables);
  // `is_project`: numbers and booleans mean inclusion or exclusion.
  void read(const Value& spec);
  void drop(const Path& path);
  Projection finish();

 private:
  void add(Node& parent, const Path& path, const Value& value, bool is_top);
  void add_object(Node& node, const Value& value);
  void add_flag(Node& node, bool is_kept, bool is_id);
  void add_expression(Node& node, const Value& value);
  Node& node_at(Node& parent, const Path& path, bool may_branch);
  static Node& add_child(Node& parent, const std::string& name);
  static void index(Node& node);
  void settle_project();
  static bool mark_computed(Node& node);

  Projection result_;
  expr::Variables* variables_;
  bool is_project_;
  bool keeps_ = false;  // includes a field other than _id
  bool drops_ = false;
  bool id_kept_ = false;
  bool id_dropped_ = false;
};

}  // namespace gantry::data::pipeline
