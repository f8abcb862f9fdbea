// plan/typing/joined_objects.hpp: the objects behind pointers, joined into a pipeline's documents.
//
// They stay for the stages that follow, until a stage replaces the documents. One pipeline, one
// thread.
#pragma once

#include <map>
#include <set>
#include <string>

#include "plan/typing/paths.hpp"

namespace gantry::data::typing {

class JoinedObjects {
 public:
  // Appends the stages that join what is not there yet, with the fields that are read.
  void add(const Joins& joins, Array& stages);
  // Appends the stage that removes them.
  void drop(Array& stages);
  // A stage has replaced the documents.
  void forget() { fields_.clear(); }
  // Removes them from the whole documents that an expression reads.
  void hide(Value& expression) const;

 private:
  Array names() const;

  std::map<std::string, std::set<std::string>> fields_;  // those that are read, by joined field
};

}  // namespace gantry::data::typing
