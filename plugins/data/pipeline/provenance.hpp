// pipeline/provenance.hpp: tracks the fields after each stage of a pipeline, and whether they come
// from the class or were made by a stage. Field access rules need this.
//
// For each path that a stage reads (Stage::add_paths), a rule asks for its origin in the shape
// before the stage: a field of the class must be permitted, a made field is free. A stage that
// reads the whole document (the path "") gets all fields of its source, so a restricted source must
// supply permitted fields only. Pure functions over values; one thread at a time.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::pipeline {

enum class Origin {
  none,      // no such field
  of_class,  // as stored, completely or in part
  made       // by a stage: computed, grouped, joined
};

// The fields of documents at one place of a pipeline.
class Shape {
 public:
  // Documents of the class.
  static Shape of_class() { return Shape(true, false); }
  // Documents made by stages. `has_unknown`: they may have fields with any names.
  static Shape made(bool has_unknown) { return Shape(false, has_unknown); }

  // The origin of a dotted path. A class field into which a stage wrote a nested field stays a
  // class field; the nested field is made.
  Origin origin_of(std::string_view path) const;
  // Whether all fields of the class exist, except for those with another origin.
  bool has_class_fields() const { return has_class_fields_; }
  // Whether fields may exist that neither the class nor a stage names: documents of another class,
  // or the content of a field.
  bool has_unknown_fields() const { return has_unknown_fields_; }
  // Paths whose origin differs from the class's own, sorted.
  const std::map<std::string, Origin, std::less<>>& paths() const { return paths_; }

  // The changes that stages make.
  void make(const std::string& path);
  void drop(const std::string& path);
  void keep_only(const std::vector<std::string>& kept);
  void add_unknown() { has_unknown_fields_ = true; }

 private:
  Shape(bool has_class_fields, bool has_unknown_fields)
      : has_class_fields_(has_class_fields), has_unknown_fields_(has_unknown_fields) {}
  void erase_below(const std::string& path);
  void set(const std::string& path, Origin origin);

  bool has_class_fields_;
  bool has_unknown_fields_;
  std::map<std::string, Origin, std::less<>> paths_;
};

// The shape after each stage of `pipeline`, an array that parse_pipeline() accepted, for input
// documents of the shape `before`. Sub-pipelines of $facet begin with the shape before the $facet,
// those of $lookup and $unionWith with the shape of the other class.
std::vector<Shape> shapes_after(const Value& pipeline, Shape before = Shape::of_class());

}  // namespace gantry::data::pipeline
