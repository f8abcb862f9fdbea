// model/lay_over.hpp: a model laid over the classes that a database has by itself.
//
// A described class takes the place of its table's own; other tables stay what they are. Fields
// that refer to a table whose objects are documents are plain values then: its rows go by _id.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "model/model.hpp"

namespace gantry::data::model {

struct LaidOver {
  std::vector<ClassInfo> classes;
  // A sentence for each described class that does not fit: its table or column is not there, its
  // name is another class's or one that no caller may open. It is left out, and so is its table:
  // what was described shall not be open because the description went wrong.
  std::vector<std::string> misfits;
};

LaidOver lay_over(const Model& model, std::vector<ClassInfo> classes);

}  // namespace gantry::data::model
