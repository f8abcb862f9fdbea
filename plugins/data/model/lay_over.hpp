// model/lay_over.hpp: applies a model to the classes that a database has by itself.
//
// A described class replaces the class of its table; other tables keep theirs. Fields that refer to
// a table of documents become plain values, because documents are identified by _id; so do foreign
// keys to a column that "id_field" replaced. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "model/model.hpp"

namespace gantry::data::model {

struct ModelResult {
  std::vector<ClassInfo> classes;
  // An error sentence for each described class that does not fit: its table, a column or a field
  // does not exist, or its name is taken or hidden. Such a class is left out together with its
  // table, so that an error in the description never exposes the table.
  std::vector<std::string> misfits;
  // What the model opens that is hidden by default: one security line each, for the operator's log.
  std::vector<std::string> opened;
};

ModelResult apply_model(const Model& model, std::vector<ClassInfo> classes);

}  // namespace gantry::data::model
