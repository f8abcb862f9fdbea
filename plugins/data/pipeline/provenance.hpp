// pipeline/provenance.hpp: which fields exist after each stage of a pipeline, and whether they come
// from the class or were made by a stage: what rules about fields stand on.
//
// A rule asks for each path that a stage reads (Stage::add_paths) where it comes from in the shape
// before that stage: what is of the class must be permitted by the class, what was made is free.
// A stage that reads the whole document (the path "") gets whatever the source gives: who restricts
// fields gives the source permitted fields only. Pure functions over values; one thread at a time.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::pipeline {

enum class Origin {
  none,      // no such field
  of_class,  // as it is stored, or in part
  made       // by a stage: computed, grouped, joined
};

// What documents look like at one place of a pipeline.
class Shape {
 public:
  // As the class's own documents.
  static Shape of_class() { return Shape(true, false); }
  // Made by stages altogether. `has_unknown`: of fields with any names.
  static Shape made(bool has_unknown) { return Shape(false, has_unknown); }

  // Of a dotted path. A field of the class into which a stage put something is of the class, what
  // was put in is made.
  Origin origin_of(std::string_view path) const;
  // Whether all of the class's fields are there but those whose origin says something else.
  bool has_class_fields() const { return has_class_fields_; }
  // Whether there may be fields that neither the class nor a stage names: documents of another
  // class, or the content of a field.
  bool has_unknown_fields() const { return has_unknown_fields_; }
  // Paths that differ from the class's own: sorted.
  const std::map<std::string, Origin, std::less<>>& paths() const { return paths_; }

  // What stages do to it.
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

// The shape after each stage of `pipeline`, an array that parse_pipeline() accepted, over documents
// that look like `before`. For pipelines inside: those of $facet begin with the shape before the
// $facet, those of $lookup and $unionWith with the other class's own.
std::vector<Shape> shapes_after(const Value& pipeline, Shape before = Shape::of_class());

}  // namespace gantry::data::pipeline
